/** A module that does nothing, to measure the cost of a call into an isolate. */
export default (): null => null
