package dev.mailroom.storetestkit.contract;

import dev.mailroom.memory.MemoryStore;
import dev.mailroom.storetestkit.ForwardingStore;
import dev.mailroom.test.ManualTime;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * The suite over a forwarding store, unbroken or broken as the configuration parameter says. Not
 * run by itself: {@link ContractSuiteCatchesMutantsTest} runs it.
 */
@ExtendWith(MutantContract.Chosen.class)
class MutantContract extends StoreContract {
  static final String PARAMETER = "mutant";

  private final Optional<Mutant> mutant;

  MutantContract(Optional<Mutant> mutant) {
    this.mutant = mutant;
  }

  @Override
  protected StoreFixture open() {
    ManualTime time = new ManualTime();
    MemoryStore memory = MemoryStore.builder().time(time).build();
    ForwardingStore store =
        mutant.map(each -> each.over(memory, time)).orElseGet(() -> new ForwardingStore(memory));
    return StoreFixture.of(store.withCapabilities(), time);
  }

  @Nested
  class MutantTransactions extends Transactions {}

  @Nested
  class MutantOverlappingTransactions extends OverlappingTransactions {}

  @Nested
  class MutantWaking extends Waking {}

  @Nested
  class MutantWakingAfterCommit extends WakingAfterCommit {}

  @Nested
  class MutantInspection extends Inspection {}

  static final class Chosen implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext extension) {
      return parameter.getParameter().getType() == Optional.class;
    }

    @Override
    public Optional<Mutant> resolveParameter(
        ParameterContext parameter, ExtensionContext extension) {
      return extension.getConfigurationParameter(PARAMETER).map(Mutant::valueOf);
    }
  }
}
