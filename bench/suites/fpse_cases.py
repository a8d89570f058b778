"""The two case studies of FPSE's evaluation (ICST 2013), re-created: the papers name the functions and the sizes of their paths,
but do not contain the code. Each path here is one of a C function in examples/fpse, statement by statement."""
from dataclasses import dataclass

from .solving import Path

DEEPEST_DICHOTOMIC = 12
TCAS_PATHS = 27


def dichotomic(depth, too_large):
    """examples/fpse/dichotomic.c, unrolled: `depth` iterations of the loop, each to the left, so that the lower end stays and the
    step is halved. Both ends and the level are inputs without bounds. They are bounded because the last step is small and not
    zero: near a large float there is no such step. Filtering by ULP-max finds this; intervals do not.

    `too_large`: the result is outside of the range of the curve, which is infeasible."""
    path = Path("single")
    number = path.number
    low, high, level = path.input("low"), path.input("high"), path.input("level")
    step = path.subtract(high, low)
    for _ in range(depth):
        path.test("fp.gt", step, number("1e-6"))  # while
        half = path.divide(step, number("2"))
        middle = path.add(low, half)
        path.test("fp.leq", middle, low, False)
        cubic = path.multiply(number("0.25"), middle)
        quadratic = path.add(cubic, number("1.5"))
        scaled = path.multiply(quadratic, middle)
        slope = path.add(scaled, number("40"))
        value = path.multiply(slope, middle)
        gap = path.subtract(value, level)
        path.test("fp.eq", gap, number("0"), False)
        path.test("fp.lt", gap, number("0"), False)
        low = path.copy(low)
        step = path.copy(half)
    path.test("fp.gt", step, number("1e-6"), False)
    path.test("fp.gt", low, number("1e6"), too_large)
    path.returns(number("-1") if too_large else low)
    return path


@dataclass
class Track:
    value: str
    rate: str
    alpha: str
    beta: str


LAYERS, URGENCIES, PASSINGS = ("low", "middle", "high"), ("resolution", "traffic", "clear"), ("above", "below", "level")


def tcas_name(number):
    return f"{LAYERS[number // 9]}, {URGENCIES[number // 3 % 3]}, {PASSINGS[number % 3]}"


def tcas(number):
    """examples/fpse/tcas_task.c: three decisions with three outcomes each. `number` counts from 0."""
    return Task(number).run()


class Task:
    """One path, statement by statement."""

    def __init__(self, number):
        self.layer, self.urgency, self.passing = number // 9, number // 3 % 3, number % 3
        self.path = Path("single")

    def run(self):
        path, number = self.path, self.path.number
        range_reply, intruder_reply, own_reply = (self.replies(name) for name in ("range", "intruder", "own"))
        distance, intruder, own = (self.track(name) for name in ("range", "intruder", "own"))
        pressure_correction, air_data_rate = path.input("pressure_correction"), path.input("air_data_rate")
        self.update(distance, self.mean(range_reply), self.slope(range_reply))
        self.update(intruder, path.add(self.mean(intruder_reply), pressure_correction), self.slope(intruder_reply))
        self.update(own, path.add(self.mean(own_reply), pressure_correction), self.slope(own_reply))
        own_rate = path.divide(path.add(own.rate, air_data_rate), number("2"))
        tau, usable = self.approach(distance)
        miss, advantage = self.separation(intruder, own, own_rate, tau, usable)
        self.decide(own, own_rate, tau, usable, miss, advantage)
        return path

    def replies(self, name):
        return [self.path.input(f"{name}_reply[{i}]") for i in range(8)]

    def track(self, name):
        return Track(*(self.path.input(f"{name}.{part}") for part in ("value", "rate", "alpha", "beta")))

    def mean(self, reply):
        path, weights = self.path, ("0.02", "0.04", "0.08", "0.11", "0.15", "0.18", "0.20", "0.22")
        total = path.multiply(path.number(weights[0]), reply[0])
        for weight, value in zip(weights[1:], reply[1:]):
            total = path.add(total, path.multiply(path.number(weight), value))
        return total

    def slope(self, reply):
        path = self.path
        total = path.multiply(path.subtract(reply[7], reply[0]), path.number("7"))
        for i, weight in ((1, "5"), (2, "3")):
            total = path.add(total, path.multiply(path.subtract(reply[7 - i], reply[i]), path.number(weight)))
        total = path.add(total, path.subtract(reply[4], reply[3]))
        return path.divide(total, path.number("84"))

    def update(self, track, measured, measured_rate):
        path = self.path
        predicted = path.add(track.value, track.rate)
        residual = path.subtract(measured, predicted)
        change = path.subtract(measured_rate, track.rate)
        track.value = path.copy(path.add(predicted, path.multiply(track.alpha, residual)))
        track.rate = path.copy(path.add(track.rate, path.multiply(track.beta, change)))

    def approach(self, distance):
        path, number = self.path, self.path.number
        closing = path.subtract(number("0"), distance.rate)
        path.test("fp.gt", distance.value, number("0"))
        path.test("fp.gt", closing, number("0"))
        near = path.divide(number("9229444"), distance.value)  # the compiler multiplies constants
        tau = path.divide(path.subtract(distance.value, near), closing)
        usable = path.subtract(tau, number("5"))
        path.test("fp.gt", usable, number("0"))
        return tau, usable

    def separation(self, intruder, own, own_rate, tau, usable):
        path, number = self.path, self.path.number
        altitude = path.subtract(intruder.value, own.value)
        miss = path.add(altitude, path.multiply(path.subtract(intruder.rate, own_rate), tau))
        start = path.add(own.value, path.multiply(own_rate, number("5")))
        gain = path.multiply(number("25"), usable)
        intruder_then = path.add(intruder.value, path.multiply(intruder.rate, tau))
        above = path.subtract(path.add(start, gain), intruder_then)
        below = path.subtract(path.subtract(start, gain), intruder_then)
        return miss, path.add(above, below)

    def decide(self, own, own_rate, tau, usable, miss, advantage):
        path, number = self.path, self.path.number
        path.test("fp.lt", own.value, number("2350"), self.layer == 0)
        if self.layer != 0:
            path.test("fp.lt", own.value, number("20000"), self.layer == 1)
        resolution_tau = path.copy(number(("15", "25", "35")[self.layer]))
        traffic_tau = path.copy(number(("25", "40", "48")[self.layer]))
        path.test("fp.leq", tau, resolution_tau, self.urgency == 0)
        if self.urgency != 0:
            path.test("fp.leq", tau, traffic_tau, self.urgency == 1)
        urgency = path.copy(number(("1", "0.5", "0")[self.urgency]))
        path.test("fp.gt", miss, number("700"), self.passing == 0)
        if self.passing != 0:
            path.test("fp.lt", miss, number("-700"), self.passing == 1)
        if self.passing == 2:
            distance = path.subtract(path.multiply(advantage, number("0.5")), number("700"))
        else:
            distance = path.subtract(number(("700", "-700")[self.passing]), miss)
        drift = path.divide(distance, usable)
        path.returns(path.add(own_rate, path.multiply(urgency, drift)))
