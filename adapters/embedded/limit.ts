/**
 * The limit of a query, as one parameter. A bare `LIMIT ?` makes SQLite plan for the limit that is bound, and so compile
 * the statement again before nearly every use, which took up to two thirds of the time of a short query. The value of an
 * expression is unknown to the planner.
 */
export const LIMIT = 'LIMIT (? + 0)';
