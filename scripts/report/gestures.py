"""The lanes by wheel, mouse and fingers: each gesture leaves the instant under it where it was."""

import math

VIEW = "[workbench.player.view.view.fromS, workbench.player.view.view.toS]"
INSTANT_BAR_S = 0.002


def check(page, findings):
    """Expects a page of a wide screen with lanes that are open."""
    page.locator(".lane-surface").scroll_into_view_if_needed()
    lanes = Lanes(page, findings)
    lanes.check_wheel()
    lanes.check_drag()
    lanes.check_fingers()


class Lanes:
    axis_px = 48  # before the lanes begin, on a wide screen

    def __init__(self, page, findings):
        self.page, self.findings = page, findings
        box = page.locator(".lane-surface").bounding_box()
        self.left, self.y = box["x"] + self.axis_px, box["y"] + 60
        self.width = box["width"] - self.axis_px

    def x(self, share):
        return self.left + share * self.width

    def show(self, start_s, end_s):
        self.page.evaluate("([from, to]) => { const { view } = workbench.player;"
                           " view.showAll(); view.reveal((from + to) / 2, (to - from) / 2) }",
                           [start_s, end_s])
        return self.view()

    def view(self):
        return self.page.evaluate(VIEW)

    def expect_view(self, gesture, start_s, end_s):
        # The page hears of wheels and fingers with the next frame.
        self.page.wait_for_timeout(100)
        found = self.view()
        near = max(abs(found[0] - start_s), abs(found[1] - end_s)) <= INSTANT_BAR_S
        self.findings.expect(
            near, f"{gesture} shows {found[0]:.4f} to {found[1]:.4f} s, not {start_s:.4f} to {end_s:.4f} s")

    def check_wheel(self):
        """Zooms around the pointer, pans sideways, and leaves the page's scrolling alone elsewhere."""
        page = self.page
        self.show(0.5, 1.5)
        page.evaluate("document.activeElement.blur()")
        page.mouse.move(self.x(0.25), self.y)
        page.mouse.wheel(0, 40)
        self.expect_view("a wheel without the focus", 0.5, 1.5)
        page.evaluate("scrollTo(0, 0)")
        page.locator(".lane-surface").scroll_into_view_if_needed()
        self.y = page.locator(".lane-surface").bounding_box()["y"] + 60
        page.evaluate("document.querySelector('.lane-surface').focus({ preventScroll: true })")
        page.mouse.move(self.x(0.25), self.y)
        page.mouse.wheel(0, -200)
        span = math.exp(0.002 * -200)
        self.expect_view("a wheel", 0.75 - 0.25 * span, 0.75 + 0.75 * span)
        self.show(0.5, 1.5)
        page.mouse.wheel(0.1 * self.width, 0)
        self.expect_view("a wheel sideways", 0.6, 1.6)
        self.show(0.5, 1.5)
        page.keyboard.down("Control")
        page.mouse.wheel(0, -20)
        page.keyboard.up("Control")
        span = math.exp(0.01 * -20)
        self.expect_view("a pinch of a trackpad", 0.75 - 0.25 * span, 0.75 + 0.75 * span)

    def check_drag(self):
        """Chooses with the mouse the part that loops."""
        self.show(0.5, 1.5)
        self.page.mouse.move(self.x(0.2), self.y)
        self.page.mouse.down()
        self.page.mouse.move(self.x(0.6), self.y, steps=5)
        self.page.mouse.up()
        self.expect_view("a drag", 0.5, 1.5)
        part = self.page.evaluate("workbench.player.region")
        self.findings.expect(
            part and abs(part["fromS"] - 0.7) <= INSTANT_BAR_S and abs(part["toS"] - 1.1) <= INSTANT_BAR_S,
            f"a drag from 0.7 to 1.1 s loops {part}")

    def check_fingers(self):
        """Pans with one finger and zooms with two."""
        session = self.page.context.new_cdp_session(self.page)
        session.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})

        def touch(kind, *shares):
            points = [{"x": self.x(share), "y": self.y, "id": number} for number, share in enumerate(shares)]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        self.show(0.5, 1.5)
        touch("touchStart", 0.6)
        for share in (0.55, 0.5, 0.45, 0.4):
            touch("touchMove", share)
        touch("touchEnd")
        self.expect_view("a finger that moves by a fifth of the lanes", 0.7, 1.7)
        self.show(0.5, 1.5)
        touch("touchStart", 0.4)
        touch("touchStart", 0.4, 0.6)
        for spread in (0.12, 0.14, 0.16, 0.18, 0.2):
            touch("touchMove", 0.5 - spread, 0.5 + spread)
        touch("touchEnd")
        self.expect_view("two fingers that double their distance", 0.75, 1.25)
        session.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
        session.detach()
