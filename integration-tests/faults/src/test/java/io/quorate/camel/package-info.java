/** Routes of Camel on real nodes of one JVM, whose links are cut. */
package io.quorate.camel;
