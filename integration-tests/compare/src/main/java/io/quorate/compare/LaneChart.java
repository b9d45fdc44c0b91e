package io.quorate.compare;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Shape;
import java.awt.geom.Rectangle2D;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGGraphics2DIOException;
import org.apache.batik.svggen.SVGIDGenerator;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.DatasetRenderingOrder;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.StandardXYBarPainter;
import org.jfree.chart.renderer.xy.XYBarRenderer;
import org.jfree.chart.renderer.xy.XYItemRenderer;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.chart.ui.RectangleAnchor;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.xy.XYDataset;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** A chart of named lanes, one below the other, on one scale. What is added later lies above what was added before. */
final class LaneChart {

    /** On a lane, counted from 0; what lies a bit beside its middle has a fraction. */
    record Point(double lane, double at) {}

    /** Along a lane, counted from 0; what lies a bit beside its middle has a fraction. */
    record Bar(double lane, double from, double to) {}

    private static final Color INK = new Color(0x1c2430);
    private static final Color GRID = new Color(0xd8dde5);
    private static final Color NONE = new Color(0, true);
    private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
    private static final BasicStroke THIN = new BasicStroke(1);

    private static final int WIDTH = 1000;
    private static final int LANE = 34;
    private static final int BELOW = 34;

    private final XYPlot plot;
    private final SymbolAxis lanes;
    private int layers;

    LaneChart(ValueAxis scale, List<String> names) {
        lanes = new SymbolAxis(null, names.toArray(new String[0]));
        lanes.setGridBandsVisible(false);
        lanes.setInverted(true);
        lanes.setRange(-0.5, names.size() - 0.5);
        plot = new XYPlot(null, scale, lanes, null);
        for (ValueAxis axis : List.of(scale, lanes)) {
            axis.setTickLabelFont(FONT);
            axis.setTickLabelPaint(INK);
            axis.setAxisLineVisible(false);
            axis.setTickMarksVisible(false);
        }
        // So much room that few values have a label.
        scale.setTickLabelInsets(new RectangleInsets(4, 40, 2, 40));
        plot.setBackgroundPaint(null);
        plot.setOutlineVisible(false);
        plot.setRangeGridlinesVisible(false);
        plot.setDomainGridlinePaint(GRID);
        plot.setDomainGridlineStroke(THIN);
        plot.setDatasetRenderingOrder(DatasetRenderingOrder.FORWARD);
    }

    /** @param shape around (0, 0), in pixels */
    void addPoints(Shape shape, Color color, List<Point> points) {
        XYSeries series = new XYSeries(layers, false);
        points.forEach(point -> series.add(point.at, point.lane));
        XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(false, true);
        renderer.setSeriesShape(0, shape);
        renderer.setDrawOutlines(false);
        add(new XYSeriesCollection(series), renderer, color);
    }

    /** @param share of the lane's height */
    void addBars(double share, Color color, List<Bar> bars) {
        XYIntervalSeries series = new XYIntervalSeries(layers, false, true);
        bars.forEach(
                bar -> series.add(bar.from, bar.from, bar.to, bar.lane, bar.lane - share / 2, bar.lane + share / 2));
        XYIntervalSeriesCollection intervals = new XYIntervalSeriesCollection();
        intervals.addSeries(series);
        XYBarRenderer renderer = new XYBarRenderer();
        renderer.setUseYInterval(true);
        renderer.setBarPainter(new StandardXYBarPainter());
        renderer.setShadowVisible(false);
        // The outline shows what is shorter than a pixel.
        renderer.setDrawBarOutline(true);
        renderer.setSeriesOutlinePaint(0, color);
        add(intervals, renderer, color);
    }

    private void add(XYDataset dataset, XYItemRenderer renderer, Color color) {
        renderer.setSeriesPaint(0, color);
        plot.setDataset(layers, dataset);
        plot.setRenderer(layers, renderer);
        layers++;
    }

    /** Across all lanes, below or above all that they hold, with a text on top of them. */
    void addLine(Layer layer, double at, Color color, String text) {
        ValueMarker line = new ValueMarker(at, color, THIN);
        line.setLabel(text);
        line.setLabelFont(FONT);
        line.setLabelPaint(color);
        line.setLabelBackgroundColor(NONE);
        line.setLabelAnchor(RectangleAnchor.TOP_RIGHT);
        line.setLabelTextAnchor(TextAnchor.TOP_LEFT);
        plot.addDomainMarker(line, layer);
        lanes.setLowerBound(-1.2);
    }

    /** @param ids of all charts of a page, which share their names */
    String toSvg(SVGIDGenerator ids) {
        JFreeChart chart = new JFreeChart(null, null, plot, false);
        chart.setBackgroundPaint(null);
        int height = (int) (LANE * lanes.getRange().getLength()) + BELOW;
        SVGGraphics2D graphics = graphics(ids);
        chart.draw(graphics, new Rectangle2D.Double(0, 0, WIDTH, height));
        Element svg = graphics.getRoot();
        svg.setAttribute("viewBox", "0 0 " + WIDTH + " " + height);
        // The one id that does not come from the generator; nothing refers to it.
        ((Element) svg.getFirstChild()).removeAttribute("id");
        fitTexts(svg, graphics.getFontMetrics(FONT));
        StringWriter document = new StringWriter();
        try {
            graphics.stream(svg, document, false, false);
        } catch (SVGGraphics2DIOException e) {
            throw new UncheckedIOException(e);
        }
        return document.toString().substring(document.toString().indexOf("<svg"));
    }

    private static SVGGraphics2D graphics(SVGIDGenerator ids) {
        try {
            SVGGeneratorContext context = SVGGeneratorContext.createDefault(DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .newDocument());
            context.setIDGenerator(ids);
            context.setComment(null);
            return new SVGGraphics2D(context, false);
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The reader's font may be another one than that in which the chart was laid out. */
    private static void fitTexts(Element svg, FontMetrics metrics) {
        NodeList texts = svg.getElementsByTagName("text");
        for (int i = 0; i < texts.getLength(); i++) {
            Element text = (Element) texts.item(i);
            text.setAttribute("textLength", Integer.toString(metrics.stringWidth(text.getTextContent())));
            text.setAttribute("lengthAdjust", "spacingAndGlyphs");
        }
    }
}
