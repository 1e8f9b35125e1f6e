/** A value as it comes back from a file: a copy, and what JSON cannot hold is not in it. */
export function asStored<Value>(value: Value): Value {
  const stored: Value = JSON.parse(JSON.stringify(value))
  return stored
}
