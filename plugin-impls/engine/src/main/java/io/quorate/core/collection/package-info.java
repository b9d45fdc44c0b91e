/** Collections that take little room: a node has tens of thousands of paths, and mostly one thing on each. */
package io.quorate.core.collection;
