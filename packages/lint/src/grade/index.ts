export { type Grade, type Proof, type ToolGrade, gradeOf, proofsOf } from "./grade.ts";
