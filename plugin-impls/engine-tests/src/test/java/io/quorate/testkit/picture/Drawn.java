package io.quorate.testkit.picture;

import static java.lang.Double.parseDouble;

import io.quorate.testkit.picture.Recording.Fate;
import io.quorate.testkit.picture.Recording.Lead;
import io.quorate.testkit.picture.Recording.Message;
import io.quorate.testkit.picture.Recording.Step;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/**
 * Reads a diagram as a reader does, and says where it tells another story than the recording: who has a column, from
 * which to which an arrow goes, what stands above what, and how long a bar is.
 */
final class Drawn {

    private static final double EXACT = 0.11;

    private final Document document;
    private final Map<String, Double> columns = new TreeMap<>();
    private final List<String> differences = new ArrayList<>();
    /** Which height each instant was drawn at. */
    private final TreeMap<Long, Double> heights = new TreeMap<>();

    private Drawn(String svg) {
        try {
            document = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(svg)));
        } catch (Exception e) {
            throw new AssertionError("no XML: " + e, e);
        }
    }

    /** What the picture has that the recording has not, or the other way round. */
    static List<String> differences(String svg, Recording recording, Focus focus) {
        Drawn drawn = new Drawn(svg);
        drawn.elements("text", "head")
                .forEach(head ->
                        drawn.columns.put(head.getAttribute("data-process"), parseDouble(head.getAttribute("x"))));
        if (!drawn.columns.keySet().equals(new java.util.TreeSet<>(recording.processes()))) {
            drawn.differences.add("processes " + drawn.columns.keySet());
        }
        drawn.compareMessages(recording.messages(), focus);
        drawn.compareBars(recording.leads());
        drawn.compareBeliefs(recording);
        drawn.compareConflicts(recording);
        drawn.compareSteps(recording.steps().stream().filter(focus::shows).toList());
        drawn.compareOrder();
        return drawn.differences;
    }

    private List<Element> elements(String tag, String type) {
        NodeList all = document.getElementsByTagName(tag);
        List<Element> found = new ArrayList<>();
        for (int i = 0; i < all.getLength(); i++) {
            Element element = (Element) all.item(i);
            if (List.of(element.getAttribute("class").split(" ")).contains(type)) {
                found.add(element);
            }
        }
        return found;
    }

    private void compareMessages(List<Message> messages, Focus focus) {
        Map<Integer, Element> arrows = new TreeMap<>();
        elements("g", "m").forEach(arrow -> arrows.put(Integer.valueOf(arrow.getAttribute("data-m")), arrow));
        for (int number = 0; number < messages.size(); number++) {
            Message message = messages.get(number);
            Element arrow = arrows.remove(number);
            if (arrow == null) {
                check(!focus.shows(message), message + " has no arrow");
            } else {
                compare(message, (Element) arrow.getElementsByTagName("line").item(0), arrow.getTextContent());
            }
        }
        check(arrows.isEmpty(), "arrows without a message: " + arrows.keySet());
    }

    private void compare(Message message, Element line, String text) {
        double from = columns.get(message.from());
        double to = columns.get(message.to());
        double x1 = parseDouble(line.getAttribute("x1"));
        double x2 = parseDouble(line.getAttribute("x2"));
        check(Math.abs(x1 - from) < EXACT, message + " begins at " + x1 + ", not at " + from);
        boolean isLost = message.fate() == Fate.LOST;
        boolean isRight = isLost ? (x2 - from) * (to - x2) > 0 : Math.abs(x2 - to) < EXACT;
        check(isRight, message + " ends at " + x2);
        boolean hasHead = !line.getAttribute("marker-end").isEmpty();
        check(hasHead == (message.fate() == Fate.ARRIVED), message + " has a head: " + hasHead);
        check(text.contains(message.text()), message + " is called " + text);
        see(message.sent(), line, "y1");
        if (!isLost) {
            see(message.ended(), line, "y2");
        }
    }

    private void compareBars(List<Lead> leads) {
        List<Element> bars = elements("rect", "lead");
        check(bars.size() == leads.size(), bars.size() + " bars for " + leads.size() + " leaders");
        for (int i = 0; i < Math.min(bars.size(), leads.size()); i++) {
            Element bar = bars.get(i);
            Lead lead = leads.get(i);
            double middle = parseDouble(bar.getAttribute("x")) + parseDouble(bar.getAttribute("width")) / 2;
            check(Math.abs(middle - columns.get(lead.process())) < EXACT, lead + " stands at " + middle);
            see(lead.from(), bar, "y");
            double bottom = parseDouble(bar.getAttribute("y")) + parseDouble(bar.getAttribute("height"));
            if (parseDouble(bar.getAttribute("height")) > 2) {
                see(lead.until(), bottom, lead.toString());
            }
        }
    }

    private void compareBeliefs(Recording recording) {
        List<Element> lines = elements("line", "belief");
        check(lines.size() == recording.beliefs().size(), lines.size() + " lines of beliefs");
        for (int i = 0; i < Math.min(lines.size(), recording.beliefs().size()); i++) {
            Recording.Belief belief = recording.beliefs().get(i);
            Element line = lines.get(i);
            int colour = recording.processes().indexOf(belief.leader()) % 9;
            check(line.getAttribute("class").equals("belief c" + colour), belief + " has another colour");
            check(
                    Math.abs(parseDouble(line.getAttribute("x1")) - columns.get(belief.process())) < EXACT,
                    belief + " stands elsewhere");
            see(belief.from(), line, "y1");
            see(belief.until(), line, "y2");
        }
    }

    private void compareConflicts(Recording recording) {
        List<String> drawn = elements("rect", "conflict").stream()
                .map(rect -> rect.getAttribute("data-leaders"))
                .toList();
        List<String> recorded = recording.conflicts().stream()
                .map(conflict -> String.join(" ", conflict.leaders()))
                .toList();
        check(drawn.equals(recorded), "together lead " + drawn + ", and not " + recorded);
        elements("rect", "conflict").forEach(rect -> {
            int number = elements("rect", "conflict").indexOf(rect);
            if (number < recording.conflicts().size()) {
                see(recording.conflicts().get(number).from(), rect, "y");
            }
        });
    }

    private void compareSteps(List<Step> steps) {
        List<Element> signs = elements("g", "step");
        check(signs.size() == steps.size(), signs.size() + " signs of steps");
        for (int i = 0; i < Math.min(signs.size(), steps.size()); i++) {
            Step step = steps.get(i);
            Element sign = signs.get(i);
            String title = sign.getElementsByTagName("title").item(0).getTextContent();
            check(
                    title.endsWith(" ms: " + step.process() + ": " + step.event() + "\n" + step.state()),
                    step + " says " + title);
            boolean isWritten = step.kind() != Step.Kind.MESSAGE;
            Element mark = (Element)
                    sign.getElementsByTagName(isWritten ? "text" : "circle").item(0);
            double x = parseDouble(mark.getAttribute(isWritten ? "x" : "cx")) - (isWritten ? 4 : 0);
            check(Math.abs(x - columns.get(step.process())) < EXACT, step + " stands at " + x);
            see(step.at(), parseDouble(mark.getAttribute(isWritten ? "y" : "cy")) - (isWritten ? 8 : 0), "a step");
        }
    }

    private void see(long instant, Element element, String attribute) {
        see(instant, parseDouble(element.getAttribute(attribute)), attribute);
    }

    /** One instant has one height. */
    private void see(long instant, double height, String what) {
        Double before = heights.putIfAbsent(instant, height);
        check(before == null || Math.abs(before - height) < 2 * EXACT, instant + " us: " + what + " at " + height);
    }

    /** What is later stands lower. */
    private void compareOrder() {
        heights.forEach((instant, height) -> {
            Map.Entry<Long, Double> next = heights.higherEntry(instant);
            check(next == null || next.getValue() > height, instant + " us stands below what follows");
        });
    }

    private void check(boolean isRight, String difference) {
        if (!isRight) {
            differences.add(difference);
        }
    }
}
