export { type Grade, type Proof, type ToolGrade, gradeFor, gradeOf, proofsOf } from "./grade.ts";
