/** What needs the inside of the runtime to be measured. */
package io.quorate.runtime;
