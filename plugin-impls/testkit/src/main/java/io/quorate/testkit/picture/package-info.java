/**
 * Runs as pictures: what was seen of a run ({@link io.quorate.testkit.picture.Recording}), as text
 * ({@link io.quorate.testkit.picture.Transcript}) and as a page with a space-time diagram
 * ({@link io.quorate.testkit.picture.Picture}). It knows no simulator: who watches a run makes the recording.
 */
@NullMarked
package io.quorate.testkit.picture;

import org.jspecify.annotations.NullMarked;
