/** One application, under the dependency management of each platform, on each JDK. */
package io.quorate.platforms;
