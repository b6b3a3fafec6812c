package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.contender.Contender;
import dev.mailroom.benchmarks.comparison.contender.Place;
import dev.mailroom.benchmarks.comparison.contender.Setup;
import dev.mailroom.benchmarks.comparison.ours.FloorEntry;

/** A library that handles its first message twice. */
final class Repeating extends Forgetful {
  static final String NAME = "repeating";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Contender open(Place place, Setup setup) throws Exception {
    Place repeated =
        new Place(
            place.kind(),
            place.url(),
            place.pool(),
            number -> {
              place.ledger().handled(number);
              if (number == 0) {
                place.ledger().handled(number);
              }
            });
    return new FloorEntry().open(repeated, setup);
  }
}
