/** What an idle cluster costs, in messages. */
package io.quorate.cost;
