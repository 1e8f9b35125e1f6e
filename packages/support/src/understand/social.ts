/** Small talk around or in place of a request, read as in every agent. */
export { smallTalkIn, withoutCourtesy } from 'echelon/internal/classify'
