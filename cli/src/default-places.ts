/** Default folder for records. */
export const RECORDS_FOLDER = '.echelon'

/** Default file for runs and conversations. */
export const STORE_FILE = '.echelon/echelon.db'
