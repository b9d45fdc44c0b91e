/** The table of delays, with each algorithm alone on slow links. */
package io.quorate.delays;
