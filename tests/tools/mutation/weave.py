"""Weaves many mutants into one source text, each behind a switch that is read at run time.

`a == b` with mutant 7 (`!=`) becomes `(if on(7) { (a) != (b) } else { (a) == (b) })`: one build
serves all mutants. What cannot stand behind a switch (constants, struct fields) is handed back.
"""

import tree_sitter
import tree_sitter_rust

RUST = tree_sitter.Language(tree_sitter_rust.language())
OPERATIONS = ("binary_expression", "compound_assignment_expr", "unary_expression")


class Weaver:
    """One file. `mutants`: (number, mutant of `cargo mutants --list --json`)."""

    def __init__(self, text, mutants, switch):
        self.source = text.encode()
        self.lines = [line.encode() for line in text.splitlines(keepends=True)]
        self.root = tree_sitter.Parser(RUST).parse(self.source).root_node
        self.switch = switch
        self.at = {}  # node id -> [(number, mutant)]
        self.touched = set()  # ids of nodes with a mutant inside
        self.lines_of = {}  # number -> (first line, last line) of what was replaced, from 1
        self.alone = []  # numbers of the mutants that cannot be woven
        for number, mutant in mutants:
            node = self.node_of(mutant)
            if node is None or in_constant(node):
                self.alone.append(number)
                continue
            self.at.setdefault(node.id, []).append((number, mutant))
            self.lines_of[number] = (node.start_point[0] + 1, node.end_point[0] + 1)
            while node is not None:
                self.touched.add(node.id)
                node = node.parent

    def on(self, number):
        return f"{self.switch}({number})"

    def offset(self, place):
        """The byte offset of a place of cargo-mutants: line and character, both from 1."""
        before = sum(len(line) for line in self.lines[: place["line"] - 1])
        line = self.lines[place["line"] - 1].decode()
        return before + len(line[: place["column"] - 1].encode())

    def node_of(self, mutant):
        """The node that the mutant replaces; None where it cannot stand behind a switch."""
        start, end = (self.offset(mutant["span"][side]) for side in ("start", "end"))
        node, genre = self.root.descendant_for_byte_range(start, max(start, end - 1)), mutant["genre"]
        wanted = {
            "FnValue": ("block",),
            "BinaryOperator": OPERATIONS[:2],
            "UnaryOperator": OPERATIONS[2:],
            "MatchArm": ("match_arm",),
            "MatchArmGuard": ("match_pattern",),
        }.get(genre, ())
        while node is not None and node.type not in wanted:
            node = node.parent
        if node is None:
            return None
        if genre == "FnValue" and node.parent.type != "function_item":
            return None
        if genre.endswith("Operator"):
            operator = node.child_by_field_name("operator") or node.children[0]
            return node if operator.start_byte == start else None
        if genre == "MatchArm":
            node = node.child_by_field_name("pattern")
        if genre.startswith("MatchArm"):
            condition = node.child_by_field_name("condition")
            if condition is not None and condition.type in ("let_chain", "let_condition"):
                return None
        return node

    def text(self):
        return self.render(self.root)

    def plain(self, node):
        return self.source[node.start_byte : node.end_byte].decode()

    def inside(self, node):
        """The node's text, with the mutants of its children."""
        parts, at = [], node.start_byte
        for child in node.children:
            parts += [self.source[at : child.start_byte].decode(), self.render(child)]
            at = child.end_byte
        return "".join(parts) + self.source[at : node.end_byte].decode()

    def render(self, node):
        if node.id not in self.touched:
            return self.plain(node)
        mutants = self.at.get(node.id, [])
        if not mutants:
            return self.inside(node)
        if node.type == "block":
            returns = [f" if {self.on(n)} {{ return {m['replacement']}; }}" for n, m in mutants]
            # Attributes of a function stand before its text, and have to stay there.
            return "{" + "".join(returns) + self.inside(node)[1:]
        if node.type == "match_pattern":
            return self.pattern(node, mutants)
        if node.type == "unary_expression":
            operand = self.render(node.named_children[0])
            (number, _), operator = mutants[0], self.plain(node.children[0])
            return f"(if {self.on(number)} {{ {operand} }} else {{ {operator}({operand}) }})"
        left, right = (self.render(node.child_by_field_name(f)) for f in ("left", "right"))
        # What an assignment changes is a place: it takes no parentheses.
        if node.type == "binary_expression":
            left, right = f"({left})", f"({right})"
        chosen = [f"if {self.on(n)} {{ {left} {m['replacement']} {right} }} else" for n, m in mutants]
        operator = self.plain(node.child_by_field_name("operator"))
        return f"({' '.join(chosen)} {{ {left} {operator} {right} }})"

    def pattern(self, node, mutants):
        condition = node.child_by_field_name("condition")
        if condition is None:
            return self.inside(node) + f" if !{self.on(mutants[0][0])}"
        before = self.source[node.start_byte : condition.start_byte].decode()
        text = f"({self.render(condition)})"
        for number, mutant in mutants:
            if mutant["genre"] == "MatchArmGuard" and mutant["replacement"] == "true":
                text = f"({self.on(number)} || {text})"
            else:
                text = f"(!{self.on(number)} && {text})"
        return before + text


def in_constant(node):
    """Whether the compiler evaluates the node: a switch is not to be read there."""
    while node is not None:
        if node.type in ("const_item", "static_item", "array_type", "const_block"):
            return True
        if node.type == "function_item":
            words = [c for c in node.children if c.type == "function_modifiers"]
            return any(b"const" in w.text for w in words)
        node = node.parent
    return False
