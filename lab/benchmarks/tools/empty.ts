/** What every call into an isolate costs: the module that does nothing. */
export default (): null => null
