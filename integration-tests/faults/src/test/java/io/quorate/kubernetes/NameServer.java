package io.quorate.kubernetes;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.handler.codec.dns.DatagramDnsQuery;
import io.netty.handler.codec.dns.DatagramDnsQueryDecoder;
import io.netty.handler.codec.dns.DatagramDnsResponse;
import io.netty.handler.codec.dns.DatagramDnsResponseEncoder;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DefaultDnsRawRecord;
import io.netty.handler.codec.dns.DnsQuestion;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.handler.codec.dns.DnsSection;
import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Answers as the DNS of Kubernetes does: an address, no such name, or no address of this kind. */
final class NameServer implements AutoCloseable {

    private static final int PORT = 53;
    /** As kubeadm sets it, in seconds. */
    private static final int TIME_TO_LIVE = 30;

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Function<String, Optional<InetAddress>> names;
    private final AtomicInteger denied = new AtomicInteger();

    /**
     * Listens.
     *
     * @param names asked for each name, in small letters and without a dot at its end
     */
    NameServer(InetAddress at, Function<String, Optional<InetAddress>> names) {
        this.names = names;
        new Bootstrap()
                .group(loop)
                .channel(NioDatagramChannel.class)
                .handler(new ChannelInitializer<DatagramChannel>() {
                    @Override
                    protected void initChannel(DatagramChannel channel) {
                        channel.pipeline()
                                .addLast(
                                        new DatagramDnsQueryDecoder(),
                                        new DatagramDnsResponseEncoder(),
                                        new SimpleChannelInboundHandler<DatagramDnsQuery>() {
                                            @Override
                                            protected void channelRead0(
                                                    ChannelHandlerContext context, DatagramDnsQuery query) {
                                                context.writeAndFlush(answer(query));
                                            }
                                        });
                    }
                })
                .bind(at, PORT)
                .syncUninterruptibly();
    }

    /** How often it said that there is no such name. */
    int denied() {
        return denied.get();
    }

    private DatagramDnsResponse answer(DatagramDnsQuery query) {
        DnsQuestion question = query.recordAt(DnsSection.QUESTION);
        DatagramDnsResponse response = new DatagramDnsResponse(query.recipient(), query.sender(), query.id());
        response.setRecursionAvailable(true);
        response.setRecursionDesired(query.isRecursionDesired());
        response.addRecord(
                DnsSection.QUESTION, new DefaultDnsQuestion(question.name(), question.type(), question.dnsClass()));
        Optional<InetAddress> address =
                names.apply(question.name().toLowerCase(Locale.ROOT).replaceFirst("\\.$", ""));
        if (address.isEmpty()) {
            denied.incrementAndGet();
            response.setCode(DnsResponseCode.NXDOMAIN);
        } else if (question.type().equals(DnsRecordType.A)) {
            response.addRecord(
                    DnsSection.ANSWER,
                    new DefaultDnsRawRecord(
                            question.name(),
                            DnsRecordType.A,
                            TIME_TO_LIVE,
                            Unpooled.wrappedBuffer(address.get().getAddress())));
        }
        return response;
    }

    @Override
    public void close() {
        loop.shutdownGracefully();
    }
}
