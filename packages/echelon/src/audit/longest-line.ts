/** The longest audit log line that is read, in bytes. Written lines are shorter. */
export const LONGEST_LINE: number = 256 * 1024
