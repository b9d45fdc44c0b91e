package io.quorate.core.settings;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** The binary form of what several messages have: lists, parts that may be absent, and texts for people. */
public final class WireParts {

    private WireParts() {}

    /** Reads one value. */
    @FunctionalInterface
    public interface Reader<T> {

        /** Reads one. */
        T read(WireReader in) throws MalformedInputException;
    }

    /** Writes how many there are, and then each. */
    public static <T> void writeList(List<T> list, BiConsumer<T, WireWriter> writer, WireWriter out) {
        out.writeUnsigned(list.size());
        for (T each : list) {
            writer.accept(each, out);
        }
    }

    /** Reads what {@link #writeList} wrote, at most so many; takes no room for what is announced and does not come. */
    public static <T> List<T> readList(int max, Reader<T> reader, WireReader in) throws MalformedInputException {
        return readSome(in.readUnsigned(max), reader, in);
    }

    /** Reads so many, and takes no room for what is announced and does not come. */
    public static <T> List<T> readSome(int count, Reader<T> reader, WireReader in) throws MalformedInputException {
        List<T> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(reader.read(in));
        }
        return list;
    }

    /** Writes whether it is there, and then the value. */
    public static <T> void writeOptional(Optional<T> value, BiConsumer<T, WireWriter> writer, WireWriter out) {
        out.writeBoolean(value.isPresent());
        value.ifPresent(present -> writer.accept(present, out));
    }

    /** Reads what {@link #writeOptional} wrote. */
    public static <T> Optional<T> readOptional(Reader<T> reader, WireReader in) throws MalformedInputException {
        return in.readBoolean() ? Optional.of(reader.read(in)) : Optional.empty();
    }

    /** Writes the id of a node. */
    public static void writeNodeId(NodeId id, WireWriter out) {
        out.writeString(id.value());
    }

    /** Writes a text that is for people only, and may be too long: then its end is left out. */
    public static void writeCut(String text, int bytesMax, WireWriter out) {
        String cut = text;
        while (cut.getBytes(StandardCharsets.UTF_8).length > bytesMax) {
            cut = cut.substring(0, Math.max(0, Math.min(cut.length() - 1, bytesMax)));
        }
        out.writeString(cut);
    }
}
