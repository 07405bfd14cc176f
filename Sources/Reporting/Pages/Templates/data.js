"use strict"

/* The data of the report, from scripts beside the page: a page opened from disk may not fetch files,
   but it may load scripts. Each calls `deliver` once. */

/** What scripts of data delivered, by name. */
const delivered = new Map()

function deliver(name, content) {
  delivered.set(name, content)
}

const loading = new Map()  // promises by name

/** The content of `data/NAME.js`, loaded once. */
function loaded(name) {
  if (delivered.has(name)) return Promise.resolve(delivered.get(name))
  if (!loading.has(name)) {
    const content = new Promise((resolve, reject) => {
      const script = document.createElement("script")
      script.src = `data/${name}.js`
      const fail = () => reject(new Error(`data/${name}.js is missing or damaged; make the report again`))
      script.addEventListener("error", fail)
      script.addEventListener("load", () => {
        if (delivered.has(name)) resolve(delivered.get(name))
        else fail()
      })
      document.head.append(script)
    })
    content.catch(() => loading.delete(name))  // allows another attempt
    loading.set(name, content)
  }
  return loading.get(name)
}

/** The bytes of base64 text. */
function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64)
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i)
  return bytes
}

/** Whole numbers of 1, 2 or 4 bytes each, little-endian as every browser's machine is. */
function wholesOf(base64, width) {
  const { buffer } = bytesOf(base64)
  return width === 1 ? new Uint8Array(buffer) : width === 2 ? new Uint16Array(buffer) : new Uint32Array(buffer)
}

function floatsOf(base64) {
  return new Float32Array(bytesOf(base64).buffer)
}
