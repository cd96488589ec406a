package io.floodgate.processor.topology.disk;

import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.SstFileManager;
import org.rocksdb.WriteBufferManager;

/** One block cache and one write buffer budget for all stores of the process, however many logs it has. */
final class RocksMemory {
    static {
        RocksDB.loadLibrary();
    }

    private static final long MIB = 1024L * 1024;
    /**
     * Cache of blocks. A part is for indexes and filters alone: they are read for each new id, and cover many blocks.
     */
    private static final Cache CACHE = new LRUCache(96 * MIB, -1, false, 0.3);

    private static final long WRITE_BUFFER_BYTES = 64 * MIB;
    private static final WriteBufferManager WRITE_BUFFERS = new WriteBufferManager(WRITE_BUFFER_BYTES, CACHE);
    /** Size of a piece of memory: each store that has anything in memory has at least one. */
    private static final long PIECE_BYTES = 32 * 1024;

    private static final BloomFilter FILTER = new BloomFilter(10);
    /** Most bytes of the write-ahead log, which is read again at a start after a crash. */
    private static final long MOST_LOG_BYTES = 64 * MIB;

    private RocksMemory() {}

    /** @param files by which RocksDB goes on writing when there is room again on a disk that was full */
    static DBOptions databaseOptions(SstFileManager files) {
        return new DBOptions()
                .setSstFileManager(files)
                .setCreateIfMissing(true)
                .setWriteBufferManager(WRITE_BUFFERS)
                .setMaxTotalWalSize(MOST_LOG_BYTES)
                .setAvoidFlushDuringRecovery(true)
                .setIncreaseParallelism(Math.max(2, Runtime.getRuntime().availableProcessors()))
                .setInfoLogLevel(InfoLogLevel.ERROR_LEVEL)
                .setKeepLogFileNum(2);
    }

    /**
     * Returns the memory of one store. Some may have more than their share, but all must fit with next to nothing in
     * them: else each write has some store written out.
     */
    private static long bufferBytes(int stores) {
        return Math.clamp(4 * WRITE_BUFFER_BYTES / stores, MIB, 8 * MIB);
    }

    /** @param stores how many of them there may be in the process */
    static ColumnFamilyOptions storeOptions(int stores) {
        BlockBasedTableConfig table = new BlockBasedTableConfig()
                .setBlockCache(CACHE)
                .setFilterPolicy(FILTER)
                // In small pieces: of a filter in one piece, megabytes were read again for each look after an id that
                // is not there, once the filters of some million jobs no longer fitted into the cache.
                .setIndexType(IndexType.kTwoLevelIndexSearch)
                .setPartitionFilters(true)
                .setMetadataBlockSize(4096)
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinTopLevelIndexAndFilter(true);
        return new ColumnFamilyOptions()
                .setTableFormatConfig(table)
                .setWriteBufferSize(bufferBytes(stores))
                .setArenaBlockSize(PIECE_BYTES)
                .setMaxWriteBufferNumber(3)
                // Most keys that are looked for are not there: new ids, and keys that no job has.
                .setMemtablePrefixBloomSizeRatio(0.02)
                .setMemtableWholeKeyFiltering(true)
                // Keys grow with time, so that files of one level hardly overlap: most are moved down instead of
                // merged.
                .setCompactionStyle(CompactionStyle.LEVEL)
                .setCompressionType(CompressionType.LZ4_COMPRESSION);
    }
}
