/** A module that needs a missing package, for the isolate's test. */
const absent = 'echelon-no-such-package'
await import(absent)
export default (): null => null
