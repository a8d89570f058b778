; As rustc 1.82 to 1.86 write it, by hand and without what does not matter:
;
;   pub struct Point { pub x: f64, pub y: f64 }
;   impl Point { pub fn versine(&self) -> f64 { self.y * (1.0 - self.x.cos()) }
;                pub fn shift(&mut self, by: &f64) { self.x += *by; } }
;   pub mod stats { pub fn spread(v: &[f64]) -> f64 { v[0] - v[v.len() - 1] }
;                   pub fn shift(v: &mut [f64], by: f64) { v[0] = v[0] + by - by; } }
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare double @cos(double)

define noundef double @_ZN4demo5Point7versine17hdf4f198ca1062a2dE(ptr noalias noundef readonly align 8 dereferenceable(16) %self) unnamed_addr !dbg !10 {
start:
  %x = load double, ptr %self, align 8, !dbg !20
  %c = tail call double @cos(double %x), !dbg !20
  %d = fsub double 1.000000e+00, %c, !dbg !20
  %p = getelementptr inbounds i8, ptr %self, i64 8, !dbg !20
  %y = load double, ptr %p, align 8, !dbg !20
  %r = fmul double %y, %d, !dbg !20
  ret double %r, !dbg !20
}

define void @_RNvMCs1234567890a_4demoNtB2_5Point5shift(ptr noalias noundef align 8 dereferenceable(16) %self, ptr noalias noundef readonly align 8 dereferenceable(8) %by) unnamed_addr !dbg !11 {
start:
  %k = load double, ptr %by, align 8, !dbg !21
  %x = load double, ptr %self, align 8, !dbg !21
  %s = fadd double %x, %k, !dbg !21
  store double %s, ptr %self, align 8, !dbg !21
  ret void, !dbg !21
}

define noundef double @_ZN4demo5stats6spread17ha1955e69702afdeaE(ptr noalias noundef nonnull readonly align 8 %v.0, i64 noundef %v.1) unnamed_addr !dbg !12 {
start:
  %last = sub i64 %v.1, 1, !dbg !22
  %p = getelementptr inbounds double, ptr %v.0, i64 %last, !dbg !22
  %a = load double, ptr %v.0, align 8, !dbg !22
  %b = load double, ptr %p, align 8, !dbg !22
  %d = fsub double %a, %b, !dbg !22
  ret double %d, !dbg !22
}

define void @_ZN4demo5stats5shift17hed822a4217d63738E(ptr noalias noundef nonnull align 8 %v.0, i64 noundef %v.1, double noundef %by) unnamed_addr !dbg !13 {
start:
  %a = load double, ptr %v.0, align 8, !dbg !23
  %s = fadd double %a, %by, !dbg !23
  %d = fsub double %s, %by, !dbg !23
  store double %d, ptr %v.0, align 8, !dbg !23
  ret void, !dbg !23
}

!llvm.module.flags = !{!0, !1}
!llvm.dbg.cu = !{!2}
!0 = !{i32 2, !"Dwarf Version", i32 4}
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !3, producer: "clang LLVM (rustc version 1.84.0 (9fc6b4312 2025-01-07))", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!3 = !DIFile(filename: "demo.rs", directory: "/crate")
!4 = !{}
!5 = !DIBasicType(name: "f64", size: 64, encoding: DW_ATE_float)
!6 = !DIBasicType(name: "usize", size: 64, encoding: DW_ATE_unsigned)
!7 = !DICompositeType(tag: DW_TAG_structure_type, name: "Point", file: !3, size: 128, align: 64, elements: !8, identifier: "bc09a808")
!8 = !{!9, !30}
!9 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !7, file: !3, baseType: !5, size: 64, align: 64)
!30 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !7, file: !3, baseType: !5, size: 64, align: 64, offset: 64)
!31 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&demo::Point", baseType: !7, size: 64, align: 64)
!32 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&mut demo::Point", baseType: !7, size: 64, align: 64)
!33 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&f64", baseType: !5, size: 64, align: 64)
!34 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !5, size: 64, align: 64)
!35 = !DICompositeType(tag: DW_TAG_structure_type, name: "&[f64]", file: !3, size: 128, align: 64, elements: !36, identifier: "c2e5038d")
!36 = !{!37, !38}
!37 = !DIDerivedType(tag: DW_TAG_member, name: "data_ptr", scope: !35, file: !3, baseType: !34, size: 64, align: 64)
!38 = !DIDerivedType(tag: DW_TAG_member, name: "length", scope: !35, file: !3, baseType: !6, size: 64, align: 64, offset: 64)
!39 = !DICompositeType(tag: DW_TAG_structure_type, name: "&mut [f64]", file: !3, size: 128, align: 64, elements: !40, identifier: "c2e5038e")
!40 = !{!41, !42}
!41 = !DIDerivedType(tag: DW_TAG_member, name: "data_ptr", scope: !39, file: !3, baseType: !34, size: 64, align: 64)
!42 = !DIDerivedType(tag: DW_TAG_member, name: "length", scope: !39, file: !3, baseType: !6, size: 64, align: 64, offset: 64)
!10 = distinct !DISubprogram(name: "versine", linkageName: "_ZN4demo5Point7versine17hdf4f198ca1062a2dE", scope: !7, file: !3, line: 2, type: !50, scopeLine: 2, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !51)
!50 = !DISubroutineType(types: !52)
!52 = !{!5, !31}
!51 = !{!53}
!53 = !DILocalVariable(name: "self", arg: 1, scope: !10, file: !3, line: 2, type: !31)
!11 = distinct !DISubprogram(name: "shift", linkageName: "_RNvMCs1234567890a_4demoNtB2_5Point5shift", scope: !7, file: !3, line: 3, type: !54, scopeLine: 3, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !55)
!54 = !DISubroutineType(types: !56)
!56 = !{null, !32, !33}
!55 = !{!57, !58}
!57 = !DILocalVariable(name: "self", arg: 1, scope: !11, file: !3, line: 3, type: !32)
!58 = !DILocalVariable(name: "by", arg: 2, scope: !11, file: !3, line: 3, type: !33)
!12 = distinct !DISubprogram(name: "spread", linkageName: "_ZN4demo5stats6spread17ha1955e69702afdeaE", scope: !3, file: !3, line: 4, type: !59, scopeLine: 4, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !60)
!59 = !DISubroutineType(types: !61)
!61 = !{!5, !35}
!60 = !{!62}
!62 = !DILocalVariable(name: "v", arg: 1, scope: !12, file: !3, line: 4, type: !35)
!13 = distinct !DISubprogram(name: "shift", linkageName: "_ZN4demo5stats5shift17hed822a4217d63738E", scope: !3, file: !3, line: 5, type: !63, scopeLine: 5, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !64)
!63 = !DISubroutineType(types: !65)
!65 = !{null, !39, !5}
!64 = !{!66, !67}
!66 = !DILocalVariable(name: "v", arg: 1, scope: !13, file: !3, line: 5, type: !39)
!67 = !DILocalVariable(name: "by", arg: 2, scope: !13, file: !3, line: 5, type: !5)
!20 = !DILocation(line: 2, column: 60, scope: !10)
!21 = !DILocation(line: 3, column: 60, scope: !11)
!22 = !DILocation(line: 4, column: 60, scope: !12)
!23 = !DILocation(line: 5, column: 60, scope: !13)
