import { MESSAGES_OF_USERS } from '../readers/messages.ts'
import { fuzz } from './fuzz.ts'

fuzz('what a user writes', MESSAGES_OF_USERS)
