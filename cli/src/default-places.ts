/** Where records are kept unless somebody says otherwise. */
export const RECORDS_FOLDER = '.echelon'

/** Where runs and conversations are kept unless somebody says otherwise. */
export const STORE_FILE = '.echelon/echelon.db'
