"use strict"

/* A button beside each command to type next, which copies it. */

for (const command of document.querySelectorAll(".next code, td code")) {
  const button = document.createElement("button")
  button.type = "button"
  button.className = "copy"
  button.textContent = "Copy"
  button.title = `Copy: ${command.textContent}`
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(command.textContent)
      button.textContent = "Copied"
    } catch {
      // A browser may refuse; then the keyboard copies what is selected.
      getSelection().selectAllChildren(command)
      button.textContent = "Selected"
    }
  })
  command.before(button)
}
