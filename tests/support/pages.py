"""Explorer pages in a real Chromium: written by the API, asked and clicked through its driver."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from bazelscope.analysis.conditions.alias_dependencies import TOOLCHAINS
from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode
from bazelscope.api.questions import ConfiguredWorkspace
from bazelscope.base.graph_walk import walk
from bazelscope.questions.page.writing import write_page

_PATIENCE = 20.0


def write(
    line: ConfiguredWorkspace,
    file: Path,
    against: Sequence[str] | None = None,
    hosts: Sequence[str] = (),
    loads: int = 12,
) -> Path:
    """Writes the page of a line."""
    answer, model = line.page(against, hosts=hosts, most_loads=loads)
    assert model is not None, answer.asked
    text, _ = write_page(model, "bazelscope", line.workspace.root.name)
    file.write_text(text, "utf-8")
    return file


def needed(plain: ConfiguredWorkspace, words: Sequence[str]) -> set[str]:
    """What the targets of a line need under more words, as `deps --configured` says; without the
    toolchains that resolution chooses, which a page has not. Packages that both lines load alike
    are evaluated once."""
    line = plain.workspace.configure((*words, *plain.names))
    line.load_like(plain)
    graph = line.world.configured

    def taken(node: ConfiguredNode) -> list[ConfiguredEdge]:
        if node.configuration is None:
            return []
        return [edge for edge in graph.shown(node) if edge.edge.attribute != TOOLCHAINS]

    starts = [graph.top(line._label(name)) for name in line.names]
    found = {str(visit.node.label) for visit in walk(starts, taken)}
    line.save()
    return found


def start_browser(chromium: Path, driver: Path, width: int = 1440, height: int = 900) -> Any:
    """A browser without a window, of that size."""
    options = webdriver.ChromeOptions()
    options.binary_location = str(chromium)
    for word in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        f"--window-size={width},{height}",
    ):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service(str(driver)))


class OpenPage:
    """A page that is open in a browser."""

    def __init__(self, browser: Any, file: Path, hash_: str = "") -> None:
        self.browser = browser
        self.file = file
        self.browser.get_log("browser")
        self.open(hash_)

    def open(self, hash_: str = "") -> None:
        self.browser.get("about:blank")
        self.browser.get(self.file.as_uri() + hash_)
        self.wait(self._is_ready)

    def go(self, direction: Literal["back", "forward"]) -> None:
        """Goes one step back or forward in the browser's history, and stays where the step
        would lead away from the page's file."""
        # Steps lead to other documents, too (`open` makes them): scripts would be cut off there.
        opposite = {"back": "forward", "forward": "back"}[direction]
        getattr(self.browser, direction)()
        if not self.browser.current_url.startswith(self.file.as_uri()):
            getattr(self.browser, opposite)()
        self.wait(self._is_ready)

    def _is_ready(self) -> bool:
        return bool(self.js("return document.body?.dataset.ready === 'true'"))

    def wait(self, is_so: Callable[[], object]) -> None:
        """Waits until something is so."""
        end = time.monotonic() + _PATIENCE
        while not is_so():
            assert time.monotonic() < end, "it never came to be so"
            time.sleep(0.02)

    def js(self, code: str, *arguments: object) -> Any:
        """What a script says."""
        return self.browser.execute_script(code, *arguments)

    def processor_time(self, code: str, *arguments: object) -> float:
        """Milliseconds of the page's thread for a script, and to lay out and paint what it did;
        one that does much waits until each part is `painted()`."""
        self.browser.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})

        def so_far() -> float:
            told = self.browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
            return float(next(one["value"] for one in told if one["name"] == "TaskDuration"))

        before = so_far()
        # What is out of view is laid out a frame later, if at all: the frame counts.
        self.painting(f"{code}; await painted();", *arguments)
        return (so_far() - before) * 1000

    def painting(self, code: str, *arguments: object) -> Any:
        """What a script says that waits until parts of what it does are `painted()`."""
        return self.browser.execute_async_script(
            "const painted = () => new Promise(done => requestAnimationFrame(() =>"
            f" setTimeout(done))); (async () => {{ {code} }})()"
            ".then(arguments[arguments.length - 1])",
            *arguments,
        )

    def allocated(self, code: str, *arguments: object) -> float:
        """Kilobytes of objects that a script makes, whatever becomes of them."""
        tell = self.browser.execute_cdp_cmd
        kept = {"includeObjectsCollectedByMajorGC": True, "includeObjectsCollectedByMinorGC": True}
        tell("HeapProfiler.startSampling", {"samplingInterval": 4096, **kept})
        self.js(code, *arguments)
        profile = tell("HeapProfiler.stopSampling", {})["profile"]
        return sum(float(one["size"]) for one in profile["samples"]) / 1000

    def one(self, selector: str) -> WebElement:
        """The element that a CSS selector finds."""
        found: WebElement = self.browser.find_element("css selector", selector)
        return found

    def text(self, selector: str) -> str:
        return str(self.js("return document.querySelector(arguments[0]).textContent", selector))

    def click(self, selector: str) -> None:
        element = self.one(selector)
        self.js("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def click_text(self, text: str, inside: str = "body") -> None:
        """Clicks the first button that says `text`."""
        for element in self.browser.find_elements("css selector", f"{inside} button"):
            if element.text == text and element.is_displayed():
                self.js("arguments[0].scrollIntoView({block: 'center'})", element)
                element.click()
                return
        raise AssertionError(f"no button `{text}`")

    def press(self, *keys: str) -> None:
        """Presses keys where the focus is."""
        webdriver.ActionChains(self.browser).send_keys(*keys).perform()

    def search(self, text: str) -> None:
        """Searches by key, and takes the first hit."""
        self.press("/")
        self.press(text)
        self.wait(lambda: self.js("return !document.getElementById('hits').hidden"))
        self.press(Keys.ENTER)

    def boxes(self) -> list[str]:
        """The names of the boxes on the map."""
        return list(self.js("return bazelscope.boxes.map(box => box.id)"))

    def turn(self, words: Sequence[str], host: str = "") -> tuple[set[str], bool, list[str]]:
        """What the page says is needed under words, whether it has the repositories of these,
        and what it says of them."""
        found = self.js(
            "const line = {host: arguments[1] || bazelscope.model.data.bases[0].host,"
            " words: arguments[0]};"
            "const r = bazelscopeEngine.turned(bazelscope.model, line);"
            "return [bazelscope.model.labels.filter((_, n) => r.reached[n]),"
            " r.assignment.isLoaded, [...r.assignment.notes, ...r.assignment.problems]]",
            list(words),
            host,
        )
        return set(found[0]), found[1], found[2]

    def complaints(self) -> list[str]:
        """What the browser wrote into its console."""
        return [entry["message"] for entry in self.browser.get_log("browser")]
