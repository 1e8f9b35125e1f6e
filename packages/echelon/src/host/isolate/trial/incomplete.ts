/** A module that needs a package which nobody has, for the isolate's test. */
const absent = 'echelon-no-such-package'
await import(absent)
export default (): null => null
