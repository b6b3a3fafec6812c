package dev.mailroom.jdbc.plans;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * How the server carried out one statement.
 *
 * @param query the statement
 * @param nodes the steps of its plan
 * @param pages how many pages it touched
 * @param isCompiled whether the server compiled it (JIT)
 */
record Plan(String query, List<Node> nodes, long pages, boolean isCompiled) {

  /**
   * One step.
   *
   * @param type what it does, such as {@code Index Scan}
   * @param table what it reads, or nothing
   * @param rows how many rows it looked at, those that it threw away included
   */
  record Node(String type, String table, double rows) {}

  /** Reads what the server's auto_explain says in XML. */
  static Plan parse(String xml) {
    try {
      Document document =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new InputSource(new StringReader(xml)));
      List<Node> nodes = new ArrayList<>();
      NodeList types = document.getElementsByTagName("Node-Type");
      for (int i = 0; i < types.getLength(); i++) {
        nodes.add(node((Element) types.item(i).getParentNode()));
      }
      String query = document.getElementsByTagName("Query-Text").item(0).getTextContent();
      boolean isCompiled = document.getElementsByTagName("JIT").getLength() > 0;
      return new Plan(query, nodes, pages((Element) types.item(0).getParentNode()), isCompiled);
    } catch (ParserConfigurationException | SAXException | IOException e) {
      throw new IllegalStateException("This is no plan: " + xml, e);
    }
  }

  private static Node node(Element plan) {
    double loops = number(plan, "Actual-Loops");
    double each =
        number(plan, "Actual-Rows")
            + number(plan, "Rows-Removed-by-Filter")
            + number(plan, "Rows-Removed-by-Join-Filter")
            + number(plan, "Rows-Removed-by-Index-Recheck");
    return new Node(child(plan, "Node-Type"), child(plan, "Relation-Name"), each * loops);
  }

  /** Those of the first step include what the others have touched. */
  private static long pages(Element first) {
    return (long) (number(first, "Shared-Hit-Blocks") + number(first, "Shared-Read-Blocks"));
  }

  private static double number(Element plan, String name) {
    String text = child(plan, name);
    return text.isEmpty() ? 0 : Double.parseDouble(text);
  }

  private static String child(Element plan, String name) {
    NodeList children = plan.getChildNodes();
    for (int i = 0; i < children.getLength(); i++) {
      if (children.item(i).getNodeName().equals(name)) {
        return children.item(i).getTextContent();
      }
    }
    return "";
  }
}
