import * as person from '../person.ts'
import { get, type Routes } from '../route.ts'

export const personRoutes = {
  personData: get('me/data', 'member', 'Everything that is stored about the member, table by table', {
    query: person.personDataQuery,
    data: person.personDataData,
  }),
} satisfies Routes
