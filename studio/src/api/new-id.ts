const BYTES = 16

/** A new random name. `crypto.randomUUID` is missing where the page comes by plain http from another machine. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
