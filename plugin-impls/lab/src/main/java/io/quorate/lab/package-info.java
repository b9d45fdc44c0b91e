/**
 * The program {@code quorate lab}. Document: docs/lab.md.
 *
 * <p>{@code LabCommand} is the command, and {@code LabChoice} finds the scenario, the trace of a document or the file
 * that it names. {@code LabRun} is what it shows of an algorithm, in one way or several. {@code LabBreak} looks for
 * a run that breaks a rule, with the model checker of the kit. {@code Explorer} writes a page with the {@code StateGraph} of
 * an election. {@code Comparison} is the table of all algorithms, {@code Curve} counts messages beside the formulas of the
 * documents, and {@code Grade} checks the algorithm of a student. {@code LabWords} puts messages and states into the words
 * of a document.
 */
@NullMarked
package io.quorate.lab;

import org.jspecify.annotations.NullMarked;
