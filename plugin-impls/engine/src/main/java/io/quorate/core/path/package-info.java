/**
 * The paths on which this node contends, or which it watches: when a contender claims, how it leads and how it hands
 * over. From the bottom up: {@link io.quorate.core.path.LocalContender},
 * {@link io.quorate.core.path.ContendedPath}, {@link io.quorate.core.path.Claims},
 * {@link io.quorate.core.path.Succession}, {@link io.quorate.core.path.ContendedPaths}.
 */
package io.quorate.core.path;
