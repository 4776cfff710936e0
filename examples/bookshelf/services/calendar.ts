/** Source of the current date. Dates are strings such as `2024-02-29`, which compare chronologically. */
export interface Calendar {
  today(): string;
}

/** Calendar based on the platform's clock, in UTC. */
export const systemCalendar: Calendar = {
  today: () => new Date().toISOString().slice(0, 10),
};

/** Returns the date `days` days after another. */
export function addDays(day: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + count);
  return date.toISOString().slice(0, 10);
}
