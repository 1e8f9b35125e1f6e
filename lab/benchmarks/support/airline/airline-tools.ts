import { commonTools, shows } from '../tau/common-tools.ts'
import type { TauTool } from '../tau/tau-tool.ts'
import { bookReservation } from './book-reservation.ts'
import { reservationChanges } from './change-reservation.ts'
import { flightTools } from './flight-tools.ts'
import { sendCertificate } from './send-certificate.ts'

/** The 14 tools of the airline; they answer byte for byte as those of tau-bench do. */
export const airlineTools: readonly TauTool[] = [
  ...commonTools,
  ...flightTools,
  bookReservation,
  ...reservationChanges,
  sendCertificate,
  // The original also says "user" for a reservation.
  shows('get_reservation_details', {
    table: 'reservations',
    key: 'reservation_id',
    missing: 'user not found',
  }),
  shows('get_user_details', { table: 'users', key: 'user_id', missing: 'user not found' }),
]
