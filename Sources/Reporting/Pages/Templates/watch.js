"use strict"

/* A page of a run that goes on: it loads itself again when there is more to show. */

/** Asks now and then how far the run is. The whole report has no such file: it replaces this page. */
class Watch {
  static everyMs = 2000
  static key = `watch ${location.pathname}`

  #root
  #button
  #cells

  constructor(root) {
    this.#root = root
    this.#cells = Number(root.dataset.cells)
    this.#button = root.querySelector("button")
    this.#button.hidden = false
    this.#button.addEventListener("click", () => this.#toggle())
    this.#show()
    setInterval(() => this.#ask(), Watch.everyMs)
  }

  get isStopped() {
    return sessionStorage.getItem(Watch.key) === "stopped"
  }

  #toggle() {
    sessionStorage.setItem(Watch.key, this.isStopped ? "" : "stopped")
    this.#show()
  }

  #show() {
    this.#button.textContent = this.isStopped ? "Reload with new results" : "Stop reloading"
  }

  #ask() {
    if (this.isStopped || document.hidden) return
    const script = document.createElement("script")
    script.src = `data/progress.js?${Date.now()}`
    script.addEventListener("load", () => {
      script.remove()
      if (delivered.get("progress") !== this.#cells) location.reload()
    })
    script.addEventListener("error", () => location.reload())
    document.head.append(script)
  }
}

new Watch(document.querySelector(".watch"))
