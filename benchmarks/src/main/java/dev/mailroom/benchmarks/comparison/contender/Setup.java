package dev.mailroom.benchmarks.comparison.contender;

/**
 * What is varied of a contender's own settings.
 *
 * @param threads how many jobs or batches it handles at once
 * @param batch how many it fetches at once, in whatever way it does
 */
public record Setup(int threads, int batch) {
  @Override
  public String toString() {
    return threads + (threads == 1 ? " thread, batch " : " threads, batch ") + batch;
  }
}
