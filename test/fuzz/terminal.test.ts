import { TERMINAL } from '../readers/terminal.ts'
import { fuzz } from './fuzz.ts'

fuzz('what is typed', TERMINAL)
