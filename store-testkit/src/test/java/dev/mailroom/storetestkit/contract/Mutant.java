package dev.mailroom.storetestkit.contract;

import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ForwardingStore;
import dev.mailroom.test.ManualTime;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Stores that break one rule each, with the tests that must fail. */
@SuppressWarnings("ImmutableEnumChecker") // a constructor and a copied list, neither marked so
enum Mutant {
  ANY_TOKEN_SETTLES(
      BrokenOutcomes.NoFence::new,
      StoreContract.Fencing.class,
      "a_stale_token_settles_nothing_and_is_reported_as_lost",
      "the_token_of_one_lease_does_not_settle_the_message_of_another"),
  LOST_LEASES_ARE_NOT_REPORTED(
      BrokenOutcomes.LossesUnreported::new,
      StoreContract.Fencing.class,
      "a_stale_token_settles_nothing_and_is_reported_as_lost"),
  ONE_TOKEN_PER_WORKER(
      BrokenLeases.TokenPerWorker::new,
      StoreContract.Leases.class,
      "every_claim_has_a_token_of_its_own",
      "a_message_that_is_leased_again_has_another_token"),
  ONE_TOKEN_PER_WORKER_FENCES_NOTHING(
      BrokenLeases.TokenPerWorker::new,
      StoreContract.Fencing.class,
      "workers_with_the_same_name_do_not_share_leases"),
  EXPIRED_LEASES_CANNOT_SETTLE(
      BrokenOutcomes.ExpiredCannotSettle::new,
      StoreContract.Leases.class,
      "an_expired_lease_that_is_not_reclaimed_still_settles"),
  CHECKPOINTS_ARE_NOT_FENCED(
      BrokenOutcomes.CheckpointUnfenced::new,
      StoreContract.Fencing.class,
      "a_stale_token_records_no_checkpoint"),
  MESSAGES_ARE_TAKEN_TWICE(
      BrokenLeases.TakesTwice::new,
      StoreContract.Clock.class,
      "what_lies_behind_an_expired_message_is_leased_once"),
  BATCHES_ARE_NOT_SORTED(
      BrokenLeases.Unsorted::new,
      StoreContract.Leases.class,
      "the_messages_of_a_lease_are_sorted_by_sequence"),
  ORDER_IS_A_TIMESTAMP(
      BrokenLeases.OrderedByTimestamp::new,
      StoreContract.GroupOrder.class,
      "the_callers_received_at_does_not_decide_the_order"),
  GROUPS_ARE_IGNORED(
      BrokenLeases.GroupsIgnored::new,
      StoreContract.GroupOrder.class,
      "a_group_is_held_as_a_whole",
      "a_failed_head_blocks_its_group_and_keeps_its_position"),
  TENANTS_ARE_IGNORED(
      BrokenLeases.TenantIgnored::new,
      StoreContract.Leases.class,
      "a_worker_that_serves_one_tenant_gets_only_its_messages"),
  LIMIT_IS_IGNORED(
      BrokenLeases.LimitIgnored::new,
      StoreContract.Leases.class,
      "a_claim_takes_no_more_than_asked_for"),
  GROUP_LIMIT_IS_IGNORED(
      BrokenLeases.GroupLimitIgnored::new,
      StoreContract.Leases.class,
      "a_claim_takes_no_more_of_one_group_than_asked_for"),
  EXTEND_DOES_NOTHING(
      BrokenLeases.ExtendsNothing::new,
      StoreContract.Leases.class,
      "an_extended_lease_lasts_from_now_on",
      "extending_names_the_tokens_that_are_no_longer_held"),
  RELEASE_BURNS_AN_ATTEMPT(
      BrokenLeases.ReleaseBurnsAttempt::new,
      StoreContract.Leases.class,
      "releasing_gives_messages_back_at_once_and_counts_nothing"),
  SETTLING_AS_RELEASED_BURNS_AN_ATTEMPT(
      BrokenLeases.ReleaseBurnsAttempt::new,
      StoreContract.Settling.class,
      "a_released_message_is_ready_at_once_and_its_attempt_is_given_back"),
  CRASHES_ARE_NOT_COUNTED(
      BrokenLeases.CrashUncounted::new,
      StoreContract.Crashes.class,
      "a_reclaimed_lease_is_a_crash_and_the_attempt_is_given_back",
      "a_crashed_message_comes_back_after_the_back_off_and_not_before"),
  RECLAIM_TAKES_LIVE_LEASES(
      BrokenLeases.ReclaimsLiveLeases::new,
      StoreContract.Crashes.class,
      "a_live_lease_is_not_reclaimed",
      "only_the_expired_leases_are_reclaimed"),
  RECLAIM_DROPS_MESSAGES(
      BrokenLeases.ReclaimDropsMessages::new,
      StoreContract.Crashes.class,
      "a_reclaimed_lease_is_a_crash_and_the_attempt_is_given_back"),
  RECLAIM_LIMIT_IS_IGNORED(
      BrokenLeases.ReclaimLimitIgnored::new,
      StoreContract.Crashes.class,
      "reclaiming_takes_no_more_leases_than_asked_for"),
  CRASHED_MESSAGES_ARE_PREFETCHED(
      BrokenLeases.SuspectsPrefetched::new,
      StoreContract.Crashes.class,
      "a_worker_that_fills_its_buffer_gets_no_message_that_crashed"),
  DEATHS_ARE_NOT_REPORTED(
      BrokenLeases.DeathsUnreported::new,
      StoreContract.Crashes.class,
      "at_the_crash_limit_a_message_is_dead_lettered_at_the_claim"),
  NEXT_DUE_BY_THE_WORKERS_CLOCK(
      BrokenLeases.DueByTheWorkersClock::new,
      StoreContract.Clock.class,
      "a_claim_says_how_long_it_is_until_the_next_message_is_due"),
  BATCH_APPEND_IS_NOT_ATOMIC(
      BrokenWrites.BatchNotAtomic::new,
      StoreContract.Appending.class,
      "a_batch_with_a_conflict_stores_nothing",
      "a_batch_with_an_invalid_message_stores_nothing"),
  RESULTS_ARE_OUT_OF_ORDER(
      BrokenWrites.ResultsOutOfOrder::new,
      StoreContract.Appending.class,
      "the_results_of_a_batch_are_in_input_order"),
  DEDUPLICATION_SURVIVES_A_ROLLBACK(
      BrokenWrites.DeduplicationApart::new,
      MutantContract.MutantTransactions.class,
      "a_rollback_leaves_nothing_not_even_a_deduplication_record"),
  OUTCOMES_DO_NOT_WAIT_FOR_THE_COMMIT(
      BrokenOutcomes.SettlesBesideTransaction::new,
      MutantContract.MutantTransactions.class,
      "a_rollback_leaves_the_message_leased_and_the_append_gone",
      "a_group_stays_held_after_a_rollback"),
  LOST_LEASES_ARE_NOT_REPORTED_IN_A_TRANSACTION(
      BrokenOutcomes.LossesInTransactionUnreported::new,
      MutantContract.MutantTransactions.class,
      "a_stale_token_settles_nothing_in_a_transaction_and_is_reported_as_lost",
      "a_reclaimed_lease_is_lost_to_a_transaction"),
  DEDUPLICATION_IS_CHECK_THEN_ACT(
      BrokenWrites.CheckThenAct::new,
      StoreContract.Concurrency.class,
      "of_many_writers_with_one_key_exactly_one_is_accepted"),
  DUPLICATES_NAME_THEMSELVES(
      BrokenWrites.DuplicateNamesItself::new,
      StoreContract.Deduplication.class,
      "a_second_message_with_a_key_is_a_duplicate_of_the_first"),
  KEYS_IGNORE_CASE(
      BrokenWrites.KeysIgnoreCase::new,
      StoreContract.Deduplication.class,
      "keys_compare_by_exact_characters"),
  DUPLICATES_COLLAPSE(
      BrokenWrites.DuplicateCollapses::new,
      StoreContract.Collapse.class,
      "a_duplicate_collapses_nothing"),
  LEASED_MESSAGES_ARE_CANCELLED(
      BrokenWrites.CancelsLeased::new,
      StoreContract.CancelAndReschedule.class,
      "a_leased_message_is_neither_cancelled_nor_rescheduled"),
  FORCE_IS_IGNORED(
      BrokenWrites.ForceIgnored::new,
      StoreContract.ForcedCancels.class,
      "a_leased_message_is_removed_by_force_and_its_workers_outcome_is_lost",
      "a_leased_message_is_rescheduled_by_force_and_can_be_leased_again"),
  FORCE_BURNS_AN_ATTEMPT(
      BrokenWrites.ForceBurnsAttempt::new,
      StoreContract.ForcedCancels.class,
      "a_leased_message_is_rescheduled_by_force_and_can_be_leased_again"),
  WAKE_UPS_COME_BEFORE_THE_COMMIT(
      BrokenWrites.WakesBeforeCommit::new,
      MutantContract.MutantWakingAfterCommit.class,
      "a_wake_up_is_sent_at_the_commit_and_not_before",
      "a_rollback_sends_no_wake_up"),
  COMMIT_IS_NOT_ATOMIC(
      BrokenOutcomes.CommitNotAtomic::new,
      StoreContract.Commits.class,
      "with_a_lost_lease_a_commit_does_nothing",
      "with_another_version_of_the_state_a_commit_does_nothing"),
  REDRIVE_KEEPS_ATTEMPTS(
      BrokenOutcomes.RedriveKeepsAttempts::new,
      StoreContract.DeadLetters.class,
      "a_redriven_message_keeps_its_id_and_checkpoints_and_resets_its_counts"),
  DEAD_LETTER_FILTER_IS_IGNORED(
      BrokenOutcomes.FilterIgnored::new,
      StoreContract.DeadLetters.class,
      "redriving_takes_only_what_the_filter_matches",
      "discarding_takes_only_what_the_filter_matches"),
  DEAD_LETTERS_ARE_PAGED_BY_OFFSET(
      BrokenOutcomes.PagesByOffset::new,
      StoreContract.DeadLetters.class,
      "a_page_goes_on_where_the_last_one_ended_whatever_became_of_that"),
  SEARCH_SHOWS_OTHER_TENANTS(
      BrokenSearches.TenantIgnored::new,
      MutantContract.MutantInspection.class,
      "a_tenants_messages_are_found_and_no_others"),
  SEARCH_IS_PAGED_BY_OFFSET(
      BrokenSearches.PagesByOffset::new,
      MutantContract.MutantInspection.class,
      "concurrent_writes_neither_repeat_nor_hide_a_message"),
  SEARCH_RESTARTS_AT_A_BAD_CURSOR(
      BrokenSearches.AnyCursor::new,
      MutantContract.MutantInspection.class,
      "what_is_no_cursor_is_refused"),
  KEYS_ARE_FORGOTTEN_WITH_THEIR_MESSAGES(
      BrokenSearches.KeyGoesWithItsMessage::new,
      MutantContract.MutantInspection.class,
      "a_key_is_remembered_with_its_message_after_the_message_is_gone"),
  PURGE_LIMIT_IS_IGNORED(
      BrokenOutcomes.PurgeLimitIgnored::new,
      StoreContract.Purges.class,
      "a_purge_removes_no_more_than_asked_for"),
  A_CAPABILITY_IS_NOT_TESTED(
      BrokenOutcomes.UntestedCapability::new,
      MutantContract.class,
      "every_capability_that_the_store_declares_is_tested_and_no_other");

  private final BiFunction<Store, ManualTime, ForwardingStore> breaking;
  private final Class<?> topic;
  private final List<String> tests;

  Mutant(Function<Store, ForwardingStore> breaking, Class<?> topic, String... tests) {
    this((store, time) -> breaking.apply(store), topic, tests);
  }

  Mutant(BiFunction<Store, ManualTime, ForwardingStore> breaking, Class<?> topic, String... tests) {
    this.breaking = breaking;
    this.topic = topic;
    this.tests = List.of(tests);
  }

  /** The store, broken. */
  ForwardingStore over(Store store, ManualTime time) {
    return breaking.apply(store, time);
  }

  /** The part of the suite that is run, for speed. */
  Class<?> topic() {
    return topic;
  }

  /** The tests of that topic which must fail. */
  List<String> tests() {
    return tests;
  }
}
