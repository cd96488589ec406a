package io.floodgate.processor.topology;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WriteBufferManager;

/** One block cache and one write buffer budget for all stores of the process, however many logs it has. */
public final class RocksMemory implements RocksDBConfigSetter {
    private static final long CACHE_BYTES = 96L * 1024 * 1024;
    private static final long WRITE_BUFFER_BYTES = 64L * 1024 * 1024;
    private static final Cache CACHE = new LRUCache(CACHE_BYTES);
    private static final WriteBufferManager WRITE_BUFFERS = new WriteBufferManager(WRITE_BUFFER_BYTES, CACHE);

    @Override
    public void setConfig(String storeName, Options options, Map<String, Object> configs) {
        BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
        table.setBlockCache(CACHE);
        table.setCacheIndexAndFilterBlocks(true);
        table.setPinTopLevelIndexAndFilter(true);
        options.setTableFormatConfig(table);
        options.setWriteBufferManager(WRITE_BUFFERS);
        options.setWriteBufferSize(8L * 1024 * 1024);
        options.setMaxWriteBufferNumber(3);
        // Keys grow with time, so that files of one level hardly overlap: most are moved down instead of merged.
        options.setCompactionStyle(CompactionStyle.LEVEL);
        options.setCompressionType(CompressionType.LZ4_COMPRESSION);
    }

    @Override
    public void close(String storeName, Options options) {
        // The cache and the budget are shared and live as long as the process.
    }
}
