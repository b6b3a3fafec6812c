package dev.mailroom.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Reads a YAML file as names with dots and texts. Only the tree of nodes is used: nothing in the
 * file can make an object, and every value knows its line.
 */
final class YamlFile {
  private static final int DEPTH = 10;

  private final Path file;
  private final Map<String, Value> values;
  private final Problems problems;

  private YamlFile(Path file, Map<String, Value> values, Problems problems) {
    this.file = file;
    this.values = values;
    this.problems = problems;
  }

  static void read(Path file, Map<String, Value> values, Problems problems) {
    try {
      String text = Files.readString(file);
      LoadSettings settings = LoadSettings.builder().setLabel(file.toString()).build();
      Optional<Node> root = new Compose(settings).composeString(text);
      root.ifPresent(node -> new YamlFile(file, values, problems).take("", node, 0));
    } catch (IOException e) {
      problems.add(file + " cannot be read: " + e + ". Give another one with --config.");
    } catch (YamlEngineException e) {
      problems.add(file + " is not YAML: " + e.getMessage());
    }
  }

  private void take(String name, Node node, int depth) {
    if (depth > DEPTH) {
      problems.add(where(node) + ": nested too deeply.");
    } else if (node instanceof MappingNode mapping) {
      if (mapping.getValue().isEmpty()) {
        put(name, new Value(List.of(), false, where(node)));
      }
      takeAll(name, mapping, depth);
    } else if (node instanceof SequenceNode sequence) {
      List<String> texts = new ArrayList<>();
      for (Node element : sequence.getValue()) {
        if (element instanceof ScalarNode scalar) {
          texts.add(scalar.getValue());
        } else {
          problems.add(where(element) + ": the list '" + name + "' may hold only texts.");
        }
      }
      put(name, new Value(texts, true, where(node)));
    } else if (node instanceof ScalarNode scalar) {
      List<String> texts = isNothing(scalar) ? List.of() : List.of(scalar.getValue());
      put(name, new Value(texts, false, where(node)));
    }
  }

  /** A key that is there twice is an error also if its two parts hold different settings. */
  private void takeAll(String name, MappingNode mapping, int depth) {
    Map<String, Node> before = new HashMap<>();
    for (NodeTuple entry : mapping.getValue()) {
      if (!(entry.getKeyNode() instanceof ScalarNode key)) {
        problems.add(where(entry.getKeyNode()) + ": a name must be a text.");
        continue;
      }
      String full = name.isEmpty() ? key.getValue() : name + "." + key.getValue();
      Node first = before.putIfAbsent(full, key);
      if (first == null) {
        take(full, entry.getValueNode(), depth + 1);
      } else {
        problems.add(where(key) + ": '" + full + "' was given before, in " + where(first) + ".");
      }
    }
  }

  /** A key without a value, as in {@code orders:}, says that the thing exists. */
  private static boolean isNothing(ScalarNode scalar) {
    return scalar.getValue().isEmpty() && scalar.isPlain();
  }

  private void put(String name, Value value) {
    Value before = values.put(name, value);
    if (before != null) {
      problems.add(
          value.origin() + ": '" + name + "' was given before, in " + before.origin() + ".");
    }
  }

  private String where(Node node) {
    return node.getStartMark()
        .map(mark -> file + " line " + (mark.getLine() + 1))
        .orElse("" + file);
  }
}
