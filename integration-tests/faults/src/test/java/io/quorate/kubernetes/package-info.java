/** The recipe of docs/kubernetes.md, acted out without Kubernetes: processes in namespaces of Linux, and their DNS. */
package io.quorate.kubernetes;
