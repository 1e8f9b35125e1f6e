import { PROTOCOLS } from '../readers/protocols.ts'
import { fuzz } from './fuzz.ts'

fuzz('what a server sends', PROTOCOLS)
