/**
 * What contenders are put through. Every run has a database and a contender of its own and lasts a
 * fixed time; contenders take turns in several rounds, so that whatever else the machine does hits
 * all of them alike; and after every run it is checked that each message was handled as promised.
 */
@NullMarked
package dev.mailroom.benchmarks.comparison.workload;

import org.jspecify.annotations.NullMarked;
