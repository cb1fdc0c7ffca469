"""Mutants of emitted Verilog: every place where one fault can be put in, and the text that holds it.

It reads the subset that Turnpike prints (hdl-gen/emit/src/verilog), statement by statement: headers
of modules, declarations, assignments, clocked and combinational blocks, instances.
"""

import re
from dataclasses import dataclass

NUMBER = re.compile(r"(\d+)'([bdh])([0-9a-f]+)$")
TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*)|(?P<number>\d+'[bdh][0-9a-f]+)|(?P<plain>\d+)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<op><=|>=|==|!=|<<|>>|&&|\|\||[-~&|^+<>?:!])|(?P<other>[\[\]{}(),;.#@*=])"
)
# What an operator of two sides becomes.
BINARY = {"&": "|", "|": "&", "^": "&", "==": "!=", "!=": "==", "+": "-", "-": "+"}
CLASSES = ("operator", "net", "constant", "index", "arms", "parts", "stuck bit", "reset", "enable")


@dataclass(frozen=True)
class Mutant:
    """One fault: what is replaced in which file. `edits`: (start, end, new text), by place."""

    kind: str
    file: str
    line: int
    edits: tuple
    was: str
    now: str

    def applied(self, text):
        """The file's text with the fault in it."""
        for start, end, new in sorted(self.edits, reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def __str__(self):
        return f"{self.file}:{self.line}: {self.kind}: {self.was} -> {self.now}"


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Net:
    width: str  # as it is written, "" for one bit
    storage: str  # "reg" or "wire"
    input: bool
    array: bool
    declared: int  # the place behind its name


def tokens(text, start, end):
    """The tokens of a piece of text, without spaces and comments."""
    found, at = [], start
    while at < end:
        match = TOKEN.match(text, at, end)
        if match is None:
            raise ValueError(f"cannot read: {text[at:at + 40]!r}")
        if match.lastgroup != "space":
            found.append(Token(match.lastgroup, match.group(), match.start(), match.end()))
        at = match.end()
    return found


class Module:
    """A file of one module, and its faults."""

    DECLARATION = re.compile(
        r"^ +(?:(input|output) +)?\b(wire|reg)\b *(\[[^\]]*\])? *(\w+)( *\[[^\]]*\])?(?= *[=;,\n])", re.M
    )
    INSTANCE = re.compile(r"^  (\w+)(?: #\([^;]*?\n  \))? \w+ \(\n((?:    \.[^;]*?\n)+)  \);", re.M)
    PORT = re.compile(r"^    \.(\w+)\(", re.M)

    def __init__(self, file, text):
        self.file, self.text = file, text
        self.body = text.index("\n);\n", text.index("\nmodule ")) + 4
        self.end = text.index("\nendmodule")
        self.name = re.search(r"^module (\w+)", text, re.M).group(1)
        self.nets = {}
        for match in self.DECLARATION.finditer(text, text.index("\nmodule "), self.end):
            side, storage, width, name, array = match.groups()
            width = (width or "").replace(" ", "")
            self.nets[name] = Net(width, storage, side == "input", array is not None, match.end(4))
        self.ports = {name: net for name, net in self.nets.items() if net.declared < self.body}
        self.inputs = {name for name, net in self.nets.items() if net.input}
        self.parameter = "parameter WIDTH" in text[: self.body]

    def mutants(self, inputs_of, random):
        """Every fault, in the order of the text. `inputs_of`: by module, the names of its inputs.
        `random` chooses the net that takes another's place."""
        self.random, self.found = random, []
        instances = list(self.INSTANCE.finditer(self.text, self.body, self.end))
        for instance in instances:
            self.instance(instance, inputs_of.get(instance.group(1), set()))
        # What is left is statements; instances are blanked, so that places stay.
        plain = self.text
        for instance in instances:
            plain = plain[: instance.start()] + " " * len(instance.group()) + plain[instance.end() :]
        self.statements(plain)
        return sorted(self.found, key=lambda mutant: (mutant.edits[0][0], mutant.kind, mutant.now))

    def add(self, kind, start, end, new, *more):
        was = self.text[start:end]
        if was != new:
            line = self.text.count("\n", 0, start) + 1
            words = [" ".join(part.split()) for part in (was, new)]
            self.found.append(Mutant(kind, self.file, line, ((start, end, new), *more), *words))

    def instance(self, instance, inputs):
        for port in self.PORT.finditer(self.text, instance.start(2), instance.end(2)):
            if port.group(1) in inputs and port.group(1) not in ("clk", "rst"):
                depth, end = 1, port.end()
                while depth:
                    depth += {"(": 1, ")": -1}.get(self.text[end], 0)
                    end += 1
                self.expression(port.end(), end - 1)

    def statements(self, plain):
        """Right sides, conditions and labels."""
        assign = re.compile(r"^ +(?:assign (\S+)|(?:\(\* unused \*\) )?wire *(\[[^\]]*\])? *(\w+)) = ([^;]*);", re.M)
        for match in assign.finditer(plain, self.body, self.end):
            name = (match.group(1) or match.group(3)).split("[")[0]
            whole = match.group(1) in (None, name)
            # What is of no use is named, for lints.
            if name.startswith("_unused"):
                continue
            self.expression(match.start(4), match.end(4))
            if whole:
                self.stuck(name, match.start(4), match.end(4))
        clocked = re.compile(r"^ +(?:if \([^;]*\) )?(\w+)(\[[^\]]*\])? <= ([^;]*);", re.M)
        for match in clocked.finditer(plain, self.body, self.end):
            self.expression(match.start(3), match.end(3))
            # One bit of a constant more or less is among its neighbours.
            if match.group(2) is None and not NUMBER.match(match.group(3)):
                self.stuck(match.group(1), match.start(3), match.end(3))
        choice = re.compile(r"^ +(\S+): (\w+) = ([^;]*);", re.M)
        for match in choice.finditer(plain, self.body, self.end):
            self.expression(match.start(3), match.end(3))
        for match in re.finditer(r"\b(?:case|if) \(", plain[: self.end]):
            if match.start() < self.body:
                continue
            depth, end = 1, match.end()
            while depth:
                depth += {"(": 1, ")": -1}.get(plain[end], 0)
                end += 1
            inside = plain[match.end() : end - 1]
            if inside == "rst":
                self.reset(plain, end)
            else:
                self.expression(match.end(), end - 1)
                if match.group().startswith("if"):
                    self.add("enable", match.end(), end - 1, "1'd1")

    def reset(self, plain, start):
        """Registers that a reset misses: each keeps its value, and begins with the right one."""
        end = re.compile(r"^ +end\b", re.M).search(plain, start).start()
        for match in re.finditer(r"(\w+) <= ([^;]*);", plain[start:end]):
            name, value = match.groups()
            net = self.nets.get(name)
            if net is None or not NUMBER.match(value):
                continue
            place = (net.declared, net.declared, f" = {value}")
            at = start + match.start(2)
            # A port that is a register takes no value where it is declared.
            if net.declared < self.body:
                place = (self.body, self.body, f"  initial {name} = {value};\n")
            self.add("reset", at, at + len(value), name, place)

    def stuck(self, name, start, end):
        """One bit of what a net takes is 0, or 1."""
        net = self.nets.get(name)
        if net is None or net.array:
            return
        match = re.match(r"\[(\d+):0\]$", net.width)
        if match is None and net.width:
            return  # a width that is a parameter
        width = int(match.group(1)) + 1 if match else 1
        bit, text = self.random.randrange(width), self.text[start:end]
        one = f"{width}'b" + "".join("1" if at == bit else "0" for at in reversed(range(width)))
        self.add("stuck bit", start, end, f"({text}) & ~{one}")
        self.add("stuck bit", start, end, f"({text}) | {one}")

    def expression(self, start, end):
        """Faults in an expression."""
        found = tokens(self.text, start, end)
        depth_of, depth = [], 0
        for token in found:
            depth -= token.text in ")]}"
            depth_of.append(depth)
            depth += token.text in "([{"
        for at, token in enumerate(found):
            before = found[at - 1] if at else None
            operand = before is not None and (
                before.kind in ("number", "plain", "name") or before.text in (")", "]", "}")
            )
            if token.text == "~":
                self.add("operator", token.start, token.end, " ")
            elif token.text in ("|", "&") and not operand:
                self.add("operator", token.start, token.end, "&" if token.text == "|" else "|")
            elif token.text in BINARY and operand:
                self.add("operator", token.start, token.end, BINARY[token.text])
            elif token.text == "?":
                self.arms(found, depth_of, at, end)
            elif token.text == "," and found[at - 1].text != "(":
                self.parts(found, depth_of, at)
            elif token.kind == "number":
                self.constant(token)
            elif token.kind == "name":
                self.name_in(token)
                if at + 1 < len(found) and found[at + 1].text == "[":
                    self.index(found, at + 1)

    def constant(self, token):
        width, base, digits = NUMBER.match(token.text).groups()
        radix = {"b": 2, "d": 10, "h": 16}[base]
        value, width = int(digits, radix), int(width)
        for step in (1, -1):
            new = (value + step) % (1 << width)
            self.add("constant", token.start, token.end, f"{width}'d{new}")
            if width == 1:
                break

    def name_in(self, token):
        net = self.nets.get(token.text)
        if net is None or token.text in ("clk", "rst"):
            return
        same = [
            name
            for name, other in self.nets.items()
            if (other.width, other.array) == (net.width, net.array)
            and name not in (token.text, "clk", "rst")
            and not name.startswith("_unused")
        ]
        if same:
            self.add("net", token.start, token.end, self.random.choice(same))

    def index(self, found, at):
        """`[5]` by a neighbour, `[5:2]` and `[5*W +: 4]` left alone but for their constants."""
        name, number = self.nets.get(found[at - 1].text), found[at + 1]
        if name is None or number.kind != "plain":
            return
        match = re.match(r"\[(\d+):0\]$", name.width)
        if match is None:
            return
        top = int(match.group(1))
        if found[at + 2].text == "]":
            steps = [step for step in (1, -1) if 0 <= int(number.text) + step <= top]
            for step in steps:
                self.add("index", number.start, number.end, str(int(number.text) + step))
        elif found[at + 2].text == ":" and found[at + 3].kind == "plain":
            high, low = int(number.text), int(found[at + 3].text)
            for step in (1, -1):
                if low + step >= 0 and high + step <= top:
                    new = f"{high + step}:{low + step}"
                    self.add("index", number.start, found[at + 3].end, new)

    def arms(self, found, depth_of, at, end):
        """The two values of `c ? a : b` exchanged."""
        depth, level, colon, last = depth_of[at], 1, None, len(found)
        for later in range(at + 1, len(found)):
            if depth_of[later] < depth:
                last = later
                break
            if depth_of[later] == depth:
                if found[later].text == "," and colon is not None:
                    last = later
                    break
                level += {"?": 1, ":": -1}.get(found[later].text, 0)
                if level == 0 and colon is None:
                    colon = later
        start, stop = found[at].end, found[last].start if last < len(found) else end
        then = self.text[start : found[colon].start]
        other = self.text[found[colon].end : stop]
        self.add("arms", start, stop, f"{other} :{then}")

    def parts(self, found, depth_of, at):
        """Neighbours in a concatenation exchanged."""
        depth = depth_of[at]
        inside = lambda place: 0 <= place < len(found) and depth_of[place] >= depth  # noqa: E731
        first, last = at - 1, at + 1
        while inside(first - 1) and (found[first - 1].text != "," or depth_of[first - 1] > depth):
            first -= 1
        while inside(last + 1) and (found[last + 1].text != "," or depth_of[last + 1] > depth):
            last += 1
        left = self.text[found[first].start : found[at - 1].end]
        right = self.text[found[at + 1].start : found[last].end]
        self.add("parts", found[first].start, found[last].end, f"{right}, {left}")


def drawn(modules, count, random):
    """So many mutants of some modules, each kind of fault in its turn as long as it has any."""
    inputs_of = {module.name: module.inputs for module in modules}
    kinds = {kind: [] for kind in CLASSES}
    for module in modules:
        for mutant in module.mutants(inputs_of, random):
            kinds[mutant.kind].append(mutant)
    every = sum(map(len, kinds.values()))
    for mutants in kinds.values():
        random.shuffle(mutants)
    chosen = []
    while len(chosen) < min(count, every):
        for mutants in kinds.values():
            if mutants and len(chosen) < count:
                chosen.append(mutants.pop())
    return chosen, every
