package io.floodgate.verification.hostile;

import io.floodgate.verification.hostile.attack.AnnouncedLengths;
import io.floodgate.verification.hostile.attack.ClockAhead;
import io.floodgate.verification.hostile.attack.CombiningMarks;
import io.floodgate.verification.hostile.attack.CompressedRecords;
import io.floodgate.verification.hostile.attack.CrossSite;
import io.floodgate.verification.hostile.attack.DeletedOffsets;
import io.floodgate.verification.hostile.attack.EndlessHeads;
import io.floodgate.verification.hostile.attack.ExplicitQueues;
import io.floodgate.verification.hostile.attack.ForeignLimits;
import io.floodgate.verification.hostile.attack.ForeignWorkers;
import io.floodgate.verification.hostile.attack.ForgedNumbers;
import io.floodgate.verification.hostile.attack.ForgedSenders;
import io.floodgate.verification.hostile.attack.FullDisk;
import io.floodgate.verification.hostile.attack.HttpOddities;
import io.floodgate.verification.hostile.attack.HugeBatches;
import io.floodgate.verification.hostile.attack.IdleListeners;
import io.floodgate.verification.hostile.attack.InventedTenants;
import io.floodgate.verification.hostile.attack.LargeBatches;
import io.floodgate.verification.hostile.attack.LargeWorkerIds;
import io.floodgate.verification.hostile.attack.LongErrorTypes;
import io.floodgate.verification.hostile.attack.LostWorker;
import io.floodgate.verification.hostile.attack.ManyLimitKeys;
import io.floodgate.verification.hostile.attack.ManyQueues;
import io.floodgate.verification.hostile.attack.ManyWorkerIds;
import io.floodgate.verification.hostile.attack.OneUniqueKey;
import io.floodgate.verification.hostile.attack.OpenTransaction;
import io.floodgate.verification.hostile.attack.OrdinaryTraffic;
import io.floodgate.verification.hostile.attack.ParkedFetches;
import io.floodgate.verification.hostile.attack.ParkedQueues;
import io.floodgate.verification.hostile.attack.PoisonRecords;
import io.floodgate.verification.hostile.attack.PoisonRequests;
import io.floodgate.verification.hostile.attack.PoisonedIngress;
import io.floodgate.verification.hostile.attack.RecreatedChangelog;
import io.floodgate.verification.hostile.attack.RecreatedTopic;
import io.floodgate.verification.hostile.attack.Searches;
import io.floodgate.verification.hostile.attack.SecondProcess;
import io.floodgate.verification.hostile.attack.SilentProcessor;
import io.floodgate.verification.hostile.attack.SlowReaders;
import io.floodgate.verification.hostile.attack.StoppedProcess;
import io.floodgate.verification.hostile.attack.TricklingSenders;
import io.floodgate.verification.hostile.attack.TruncatedLog;
import io.floodgate.verification.hostile.attack.UnlimitedSupply;
import io.floodgate.verification.hostile.attack.WideFetches;
import io.floodgate.verification.hostile.attack.WorkflowGraphs;
import io.floodgate.verification.hostile.attack.WrongCommands;
import java.util.List;

/** All of them, those first that leave a server others can go on with. */
public final class Attacks {
    private Attacks() {}

    public static List<Attack> all() {
        return List.of(
                new HttpOddities(),
                new CrossSite(),
                new PoisonRequests(),
                new LargeWorkerIds(),
                new ManyWorkerIds(),
                new AnnouncedLengths(),
                new TricklingSenders(),
                new EndlessHeads(),
                new SlowReaders(),
                new IdleListeners(),
                new PoisonRecords(),
                new PoisonedIngress(),
                new LongErrorTypes(),
                new CombiningMarks(),
                new OneUniqueKey(),
                new WrongCommands(),
                new SecondProcess(),
                new StoppedProcess(),
                new LargeBatches(),
                new OrdinaryTraffic(),
                new CompressedRecords(CompressedRecords.Kind.INGRESS),
                new CompressedRecords(CompressedRecords.Kind.COMMANDS),
                new ForgedSenders(),
                new ForgedNumbers(),
                new OpenTransaction(),
                new HugeBatches(HugeBatches.Kind.ONE_LOG),
                new HugeBatches(HugeBatches.Kind.OVER_LOGS),
                new HugeBatches(HugeBatches.Kind.WITH_CLAIMS),
                new ManyQueues(),
                new ForeignLimits(),
                new ForeignWorkers(),
                new UnlimitedSupply(),
                new ManyLimitKeys(),
                new ParkedFetches(800, 900_000),
                new ParkedFetches(5_000, 100_000),
                new ParkedQueues(),
                new WideFetches(),
                new WorkflowGraphs(),
                new Searches(),
                new InventedTenants(),
                new ExplicitQueues(),
                new LostWorker(),
                new ClockAhead(),
                new TruncatedLog(),
                new DeletedOffsets(),
                new RecreatedTopic(),
                new RecreatedChangelog(),
                new SilentProcessor(),
                new FullDisk());
    }
}
