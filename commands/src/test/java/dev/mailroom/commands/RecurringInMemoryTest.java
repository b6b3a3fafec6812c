package dev.mailroom.commands;

class RecurringInMemoryTest extends RecurringCrashTest {
  @Override
  Bank open() {
    return new Bank();
  }
}
