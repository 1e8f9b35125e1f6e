/** The longest line of an audit log that is read, in bytes. No line that is written is as long. */
export const LONGEST_LINE: number = 256 * 1024
