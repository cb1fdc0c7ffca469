#!/usr/bin/env python3
"""Checks a certificate of `turnpike audit`: python3 check_certificate.py FILE

The format is in docs/audit.md. Nothing here comes from Turnpike: the file is read, every route of
every flow is walked, and numbers are compared. Exit code 0 where the certificate holds, else 1.
"""

import re
import sys

# Keys in the order in which their lines stand.
KEYS = ["network", "switching", "rule", "condition", "switch", "terminal", "class", "channel",
        "sink", "inject", "flows", "flow", "table"]
ONCE = KEYS[:4]
NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)


class Flaw(Exception):
    """What is wrong with a certificate."""


def demand(holds, what):
    if not holds:
        raise Flaw(what)


def number(word):
    demand(NUMBER.fullmatch(word), f"'{word}' is no number")
    return int(word)


def below(word, count, what):
    value = number(word)
    demand(value < count, f"there is no {what} {value}")
    return value


class Certificate:
    def __init__(self, text):
        self.rule = None
        self.switches = 0
        self.terminals = []  # [source switch, sink switch], None where it has none
        self.classes = []  # the classes that each comes after
        self.channels = []  # (from, to, table, number, escape)
        self.sinks = {}  # number by terminal and class
        self.inject = {}  # table by class and switch
        self.all = False
        self.flows = []  # (class, destination, sources)
        self.tables = []  # next channels by destination
        demand(text.endswith("\n"), "the last line has no end")
        lines = text[:-1].split("\n")
        demand(lines[0] == "turnpike-certificate 1", "line 1: no certificate")
        last = len(lines) - 1
        demand(lines[last] == f"end {last}", f"the last line is not 'end {last}'")
        place, counts = 0, dict.fromkeys(KEYS, 0)
        for at, line in enumerate(lines[1:last], 2):
            key, _, rest = line.partition(" ")
            demand(key in KEYS, f"line {at}: unknown key '{key}'")
            demand(KEYS.index(key) >= place, f"line {at}: '{key}' stands too late")
            place = KEYS.index(key)
            counts[key] += 1
            try:
                getattr(self, "read_" + key)(rest)
            except Flaw as flaw:
                raise Flaw(f"line {at}: {flaw}") from None
        for key in ONCE:
            demand(counts[key] == 1, f"there are {counts[key]} lines '{key}'")
        self.complete()

    def read_network(self, rest):
        demand(rest, "no name")

    def read_condition(self, rest):
        demand(rest, "no condition")

    def read_switching(self, rest):
        demand(rest in ("wormhole", "packets"), "unknown switching")

    def read_rule(self, rest):
        demand(rest in ("all", "some", "escape"), "unknown rule")
        self.rule = rest

    def read_switch(self, rest):
        demand(rest, "no name")
        self.switches += 1

    def read_terminal(self, rest):
        words = rest.split(" ", 2)
        demand(len(words) == 3 and words[2], "no name")
        self.terminals.append([None if word == "-" else below(word, self.switches, "switch")
                               for word in words[:2]])

    def read_class(self, rest):
        after, _, name = rest.partition(" ")
        demand(name, "no name")
        self.classes.append([] if after == "-" else
                            [below(word, 1000, "class") for word in after.split(",")])

    def read_channel(self, rest):
        words = rest.split(" ")
        demand(len(words) == 5 or words[5:] == ["escape"], "the words are wrong")
        start, end = (below(word, self.switches, "switch") for word in words[:2])
        number(words[2])
        self.channels.append((start, end, number(words[3]), number(words[4]), len(words) == 6))

    def read_sink(self, rest):
        words = rest.split(" ")
        demand(len(words) == 3, "the words are wrong")
        key = (below(words[0], len(self.terminals), "terminal"),
               below(words[1], len(self.classes), "class"))
        demand(key not in self.sinks, "this sink stands there already")
        self.sinks[key] = number(words[2])

    def read_inject(self, rest):
        words = rest.split(" ")
        demand(len(words) == 3, "the words are wrong")
        key = (below(words[0], len(self.classes), "class"),
               below(words[1], self.switches, "switch"))
        demand(key not in self.inject, "this line stands there already")
        self.inject[key] = number(words[2])

    def read_flows(self, rest):
        demand(rest == "all" and not self.all, "the words are wrong")
        self.all = True

    def read_flow(self, rest):
        words = rest.split(" ")
        demand(len(words) > 2 and not self.all, "the words are wrong")
        of = below(words[0], len(self.classes), "class")
        destination, *sources = (below(word, len(self.terminals), "terminal")
                                 for word in words[1:])
        demand(self.terminals[destination][1] is not None, "the destination takes no packets")
        demand(all(self.terminals[source][0] is not None for source in sources),
               "a source sends no packets")
        self.flows.append((of, destination, sources))

    def read_table(self, rest):
        table, before = {}, -1
        for entry in rest.split(" ") if rest else []:
            destination, colon, after = entry.partition(":")
            demand(colon, f"'{entry}' is no entry")
            destination = below(destination, len(self.terminals), "terminal")
            following = [below(word, len(self.channels), "channel") for word in after.split(",")]
            demand(before < destination, "entries do not ascend")
            demand(all(a < b for a, b in zip(following, following[1:])), "channels do not ascend")
            table[destination] = following
            before = destination
        self.tables.append(table)

    def complete(self):
        demand(self.switches and self.terminals and self.classes, "no switch, terminal or class")
        demand(not self.all or self.classes == [[]], "'flows all' is for one class")
        demand(self.all or self.flows, "there is no flow")
        demand(all(before < len(self.classes) for after in self.classes for before in after),
               "a class is after one that is not there")
        demand(all(channel[2] < len(self.tables) for channel in self.channels),
               "a channel has a table that is not there")
        for of in range(len(self.classes)):
            for switch in range(self.switches):
                demand((of, switch) in self.inject, "a line 'inject' is missing")
        demand(all(table < len(self.tables) for table in self.inject.values()),
               "a line 'inject' has a table that is not there")
        needed = {(source, before) for of, _, sources in self.flows for source in sources
                  for before in self.classes[of]}
        demand(needed == set(self.sinks), "a sink is missing, or one too many")

    def check(self):
        """Walks every flow."""
        if self.all:
            for destination, (_, sink) in enumerate(self.terminals):
                if sink is not None:
                    self.walk(0, destination, [source for source, (start, _)
                                               in enumerate(self.terminals)
                                               if start is not None and source != destination])
        for flow in self.flows:
            self.walk(*flow)

    def walk(self, of, destination, sources):
        """All packets of some sources to a destination."""
        sink = self.terminals[destination][1]
        waiting = []
        for source in sources:
            switch = self.terminals[source][0]
            table = self.tables[self.inject[of, switch]]
            # What the terminal took, and may hold until this packet is sent.
            for before in self.classes[of]:
                self.waits(self.sinks[source, before], True, switch, table, of, destination)
            if switch != sink:
                self.waits(None, False, switch, table, of, destination)
                waiting += table[destination]
        seen = set()
        while waiting:
            channel = waiting.pop()
            if channel in seen:
                continue
            seen.add(channel)
            _, switch, table, value, escape = self.channels[channel]
            table = self.tables[table]
            self.waits(value, escape, switch, table, of, destination)
            if switch != sink:
                waiting += table[destination]

    def waits(self, held, is_escape, switch, table, of, destination):
        """A packet at a switch that holds what has a number, and what it waits for."""
        if switch == self.terminals[destination][1]:
            sink = self.sinks.get((destination, of))
            demand(held is None or sink is None or held < sink,
                   f"terminal {destination}: the number of the sink is not greater")
            return
        who = f"packets of class {of} to terminal {destination}, at switch {switch}"
        following = table.get(destination)
        demand(following, f"{who}: no next channel")
        demand(all(self.channels[channel][0] == switch for channel in following),
               f"{who}: a next channel leaves another switch")
        if self.rule == "escape":
            self.escapes(held if is_escape else None, following, of, destination)
        elif held is not None:
            ascends = [self.channels[channel][3] > held for channel in following]
            demand(all(ascends) if self.rule == "all" else any(ascends),
                   f"{who}: the numbers do not ascend")

    def escapes(self, held, following, of, destination):
        """Each packet may take an escape channel, and the next ones of one ascend."""
        who = f"packets of class {of} to terminal {destination}"
        demand(any(self.channels[channel][4] for channel in following), f"{who}: no escape channel")
        if held is None:
            return
        met, waiting = set(following), list(following)
        while waiting:
            _, switch, table, value, escape = self.channels[waiting.pop()]
            if escape:
                demand(value > held, f"{who}: the numbers do not ascend")
            elif switch == self.terminals[destination][1]:
                sink = self.sinks.get((destination, of))
                demand(sink is None or held < sink, f"{who}: the sink's number is not greater")
            else:
                more = [c for c in self.tables[table].get(destination, []) if c not in met]
                met.update(more)
                waiting += more


def check(text):
    """The flaw of a certificate; None where it holds."""
    try:
        Certificate(text).check()
    except Flaw as flaw:
        return flaw
    return None


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: check_certificate.py FILE")
    try:
        with open(sys.argv[1], encoding="utf-8", newline="") as file:
            flaw = check(file.read())
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(str(error))
    if flaw is not None:
        print(f"{sys.argv[1]}: {flaw}")
        sys.exit(1)
    print(f"{sys.argv[1]}: holds")


if __name__ == "__main__":
    main()
